import { build, startNetwork } from '../../helpers/app.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { submit, swapBody } from '../../helpers/transfer-flow.ts'

const path = '/submit/swap'

test('reads each amount in the decimals of its own token', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const across = { targetChain: 'BSC', targetSymbol: 'USDT', amountOut: '99900000000000000001' }
  const decimals = { decimals: undefined, amountInDecimals: 6, amountOutDecimals: 18 }
  const body = swapBody({ ...across, ...decimals, dex: undefined, slippage: 0.5 })
  t.equal((await submit(server, body, { path })).statusCode, 200)
  const amounts = { amountIn: '100.5', amountOut: '99.900000000000000001' }
  t.match(messagesOn(devnet).swaps, [{ ...amounts, dex: '', slippage: '0.5' }])

  for (const change of [{}, { amountInDecimals: 6 }]) {
    const ambiguous = await submit(server, swapBody({ ...across, ...change }), { path })
    t.match(ambiguous.json(), {
      statusCode: 400,
      message: 'amountOutDecimals must be 18, the decimals of USDT on BSC',
      details: [{ path: '/amountOutDecimals' }]
    })
  }
  const explicit = await submit(server, swapBody({ ...across, amountOutDecimals: 6 }), { path })
  t.equal(explicit.statusCode, 200, 'the amount may have fewer decimals than the token if the body says so')
})

const CASES: [string, object, string][] = [
  ['a missing amountIn', { amountIn: undefined }, '/amountIn'],
  ['an amountIn of zero', { amountIn: '0' }, '/amountIn'],
  ['an amountOut of zero', { amountOut: '0' }, '/amountOut'],
  ['missing decimals', { decimals: undefined }, '/decimals'],
  ['another token’s decimals', { decimals: 18 }, '/decimals'],
  [
    'too many decimals for amountIn',
    { decimals: undefined, amountInDecimals: 18, amountOutDecimals: 6 },
    '/amountInDecimals'
  ],
  ['contradicting decimals', { amountInDecimals: 18 }, '/amountInDecimals'],
  ['wrong decimals for the target token', { amountOutDecimals: 18 }, '/amountOutDecimals'],
  ['missing decimals for amountIn', { decimals: undefined, amountOutDecimals: 6 }, '/amountInDecimals'],
  ['missing decimals for amountOut', { decimals: undefined, amountInDecimals: 6 }, '/amountOutDecimals'],
  ['a slippage that needs an exponent', { slippage: 1e-7 }, '/slippage'],
  ['a missing signature', { options: '{"feeId":"f-1"}' }, '/options/signature']
]

test('rejects an invalid swap and names the field', async t => {
  const server = await build(t)
  for (const [name, change, field] of CASES) {
    const response = await submit(server, swapBody(change), { path })
    t.match(
      response.json(),
      { statusCode: 400, code: /^(VALIDATION|OPTIONS_INVALID)$/, details: [{ path: field }] },
      name
    )
  }
  t.equal((await server.inject('/swap_tx/1/status')).statusCode, 404, 'nothing was sent to the chain')
})
