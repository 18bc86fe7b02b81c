import { chains } from '../../../../packages/devnet/registry/chains.ts'
import { build } from '../../../helpers/app.ts'
import { throughProxy } from '../../../helpers/chain-api.ts'
import { json } from '../../../helpers/local-server.ts'
import { test } from '../../../helpers/tap.ts'
import { cardBody, submit, swapBody, TRANSFER } from '../../../helpers/transfer-flow.ts'

const LIMIT = '10000'
const message = `must be at most ${LIMIT} USDT, the largest transfer that the chain allows`

test('rejects an amount above the chain’s limit and names the field', async t => {
  const server = await build(t)
  for (const [field, path, body] of [
    ['amount', '/submit/transfer', cardBody({ amount: '1000001' })],
    ['submitAmount', '/submit', cardBody({ amount: '10000.01', submitAmount: '1000001' })],
    ['amountIn', '/submit/swap', swapBody({ amountIn: '10000000001' })]
  ] as const) {
    const answer = await submit(server, body, { path })
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { code: 'TRANSFER_LIMIT', details: [{ path: `/${field}`, message }] })
  }
  t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'nothing was sent to the chain')
  t.equal(
    (await submit(server, cardBody({ amount: '1000000' }))).statusCode,
    200,
    'an amount equal to the limit is accepted'
  )
})

test('rejects a quote request for an amount above the limit', async t => {
  const server = await build(t)
  const quote = (amount: string, change: object = {}) =>
    server.inject({ url: '/submit/fees', query: { ...TRANSFER, ...change, amount } })
  const refused = await quote('11000')
  t.equal(refused.statusCode, 400)
  t.match(refused.json(), { code: 'TRANSFER_LIMIT', details: [{ path: '/amount', message }] })
  t.match(
    (await quote('11000', { targetChain: 'AVX', targetSymbol: 'EURC' })).json(),
    { code: 'TRANSFER_LIMIT' },
    'a quote with fees only at the origin'
  )
  t.equal((await quote(LIMIT)).statusCode, 200, 'an amount equal to the limit is quoted')
  t.equal((await quote('10000.01')).statusCode, 200, 'an amount that is within the limit after the fee')
})

test('applies the limit only to tokens pegged to USD', async t => {
  const server = await build(t)
  const euros = cardBody(
    { originChain: 'BANK', originSymbol: 'EUR', amount: '1000001' },
    { paymentMethod: 'sepaEur' }
  )
  t.equal((await submit(server, euros)).statusCode, 200)
})

test('ignores a transfer limit that is not a positive number', async t => {
  for (const [transferLimitMaxUSDT, status] of [
    ['0.00', 200],
    ['none', 200],
    ['10000.00', 400]
  ] as const) {
    const api = await throughProxy(t)
    api.answer = (response, { url }) =>
      json(
        response,
        url.endsWith('/params') ? { params: { transferLimitMaxUSDT } } : { Chain: chains, pagination: null }
      )
    t.equal((await submit(api.server, cardBody({ amount: '1000001' }))).statusCode, status)
  }
})
