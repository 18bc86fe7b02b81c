import { test } from 'tap'
import { createKycServer, DEVELOPMENT_KYC_KEY, kycSessions } from '../../../devnet/kyc/index.ts'

test('the KYC provider answers for its sessions and checks its key', async t => {
  const server = await createKycServer({ host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  const ask = (body: unknown, key: string = DEVELOPMENT_KYC_KEY) =>
    fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body)
    })
  const uuid = '7b0d3c5e-52f1-4a43-9d8c-0f4a1f0f8a11'

  t.strictSame(await (await ask({ uuid })).json(), [{ external_uuid: uuid, status: 'approved' }])
  t.match(await (await ask({ uuid: kycSessions.declined })).json(), [{ status: 'declined' }])
  t.match(await (await ask({ uuid: kycSessions.pending })).json(), [{ status: 'pending' }])
  t.strictSame(await (await ask({ uuid: kycSessions.unknown })).json(), [])
  t.equal((await ask({ uuid }, 'another')).status, 401)
  t.equal((await ask({ uuid: 'none' }, 'another')).status, 401, 'the key comes before the body')
  t.equal((await ask({ uuid: 'none' })).status, 400)
  t.equal((await ask({})).status, 400)
})
