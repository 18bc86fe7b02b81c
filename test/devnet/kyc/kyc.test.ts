import { createKycServer, DEVELOPMENT_KYC_KEY, kycSessions } from '../../../packages/devnet/kyc/index.ts'
import { test } from '../../helpers/tap.ts'

test('the KYC provider answers for its sessions and checks its key', async t => {
  const server = await createKycServer({ host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  const ask = (uuid: string, authorization: string = DEVELOPMENT_KYC_KEY) =>
    fetch(`${server.url}/?filter[external_uuid]=${uuid}`, { headers: { authorization } })
  const uuid = '7b0d3c5e-52f1-4a43-9d8c-0f4a1f0f8a11'

  t.match(await (await ask(uuid)).json(), [
    { id: /./, external_uuid: uuid, status: 'approved', created_at: Number, first_name: /./ }
  ])
  t.match(await (await ask(kycSessions.declined)).json(), [{ status: 'declined' }])
  t.match(await (await ask(kycSessions.pending)).json(), [{ status: 'pending' }])
  t.strictSame(await (await ask(kycSessions.unknown)).json(), [])
  t.match(await (await ask(kycSessions.repeated)).json(), [{ status: 'declined' }, { status: 'approved' }])
  t.match(await (await ask(kycSessions.single)).json(), { status: 'approved' })
  t.equal((await ask(uuid, 'another')).status, 401)
  t.equal((await ask('none', 'another')).status, 401, 'the key is checked before the query')
  t.equal((await ask('none')).status, 400)
})
