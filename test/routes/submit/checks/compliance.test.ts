import { complianceAddresses } from '../../../../packages/devnet/compliance/index.ts'
import { build } from '../../../helpers/app.ts'
import { json, serve } from '../../../helpers/local-server.ts'
import { test } from '../../../helpers/tap.ts'
import { submit, TRANSFER, transferBody } from '../../../helpers/transfer-flow.ts'

const { sanctioned } = complianceAddresses

test('rejects a transfer from or to a sanctioned address with 403', async t => {
  const server = await build(t)
  for (const fields of [['originAddress'], ['targetAddress'], ['originAddress', 'targetAddress']]) {
    const change = Object.fromEntries(fields.map(field => [field, sanctioned]))
    const body = await transferBody(server, change)
    t.match((await submit(server, body)).json(), {
      statusCode: 403,
      code: 'NOT_COMPLIANT',
      error: 'Forbidden',
      message: `${fields.join(' and ')} does not meet the compliance requirements`,
      details: fields.map(field => ({ path: `/${field}` }))
    })
  }
  t.equal((await server.inject('/tx/1/status')).statusCode, 404)
  t.equal((await submit(server, await transferBody(server))).json().txId, 1, 'other submissions are accepted')
})

test('checks only the target address of a card payment', async t => {
  const record = { address: TRANSFER.targetAddress, risk_score: 'low' }
  const provider = await serve(t, (_request, response) => json(response, [record]))
  const server = await build(t, { COMPLIANCE_URL: provider.url })
  const card = { originChain: 'CC', originSymbol: 'USD', originAddress: sanctioned }
  const body = await transferBody(server, card)
  const { feeId } = JSON.parse(body.options)
  const transactionIdSeed = '2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11'
  const options = JSON.stringify({ feeId, paymentMethod: 'creditCard', transactionIdSeed })
  t.equal((await submit(server, { ...body, options }, { path: '/submit/transfer' })).statusCode, 200)
  t.match(provider.seen, [{ body: JSON.stringify({ addresses: [TRANSFER.targetAddress] }) }])
})
