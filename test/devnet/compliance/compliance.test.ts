import { complianceAddresses, createComplianceServer } from '../../../packages/devnet/compliance/index.ts'
import { test } from '../../helpers/tap.ts'

test('the compliance provider answers with a record for each address', async t => {
  const server = await createComplianceServer({ host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  const ask = (body: unknown) =>
    fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  const ordinary = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const { sanctioned, medium, high, providerFails, uncheckable } = complianceAddresses

  t.strictSame(await (await ask({ addresses: [ordinary] })).json(), [
    { address: ordinary, name: null, classification: [], risk_factors: [], risk_score: 'low' }
  ])
  const addresses = [sanctioned.replace('c1', 'C1'), medium, high]
  t.match(await (await ask({ addresses })).json(), [
    { address: addresses[0], classification: ['sanctions'], risk_score: 'critical' },
    { address: medium, risk_score: 'med' },
    { address: high, risk_score: 'high' }
  ])
  t.match(await (await ask({ addresses: [ordinary, uncheckable] })).json(), { status: 'fail', error: /./ })

  t.equal((await ask({})).status, 400)
  t.equal((await ask({ addresses: [] })).status, 400)
  t.equal((await ask({ addresses: [''] })).status, 400)
  t.equal((await ask({ addresses: [providerFails] })).status, 500)
})
