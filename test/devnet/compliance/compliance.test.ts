import { test } from 'tap'
import { complianceAddresses, createComplianceServer } from '../../../devnet/compliance/index.ts'

test('the compliance provider answers for each address', async t => {
  const server = await createComplianceServer({ host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  const ask = (query: string) => fetch(`${server.url}/${query}`)
  const ordinary = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const sanctioned = complianceAddresses.sanctioned.replace('c1', 'C1')

  const one = await ask(`?address=${ordinary}`)
  t.strictSame(await one.json(), {
    isCompliant: true,
    isError: false,
    results: [{ address: ordinary, isCompliant: true, result: 'approved' }]
  })

  const two = await ask(`?address=${ordinary}&address=${sanctioned}`)
  t.strictSame(await two.json(), {
    isCompliant: false,
    isError: false,
    results: [
      { address: ordinary, isCompliant: true, result: 'approved' },
      { address: sanctioned, isCompliant: false, result: 'sanctioned' }
    ]
  })

  t.equal((await ask('')).status, 400)
  t.equal((await ask('?address=')).status, 400)
  t.equal((await ask(`?address=${complianceAddresses.providerFails}`)).status, 500)
})
