import { build } from '../../helpers/app.ts'
import { withChanged } from '../../helpers/chain-api.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { submit, swapBody } from '../../helpers/transfer-flow.ts'

/** A number far above 2^53. Its last digit is not zero, so its decimal fractions have no trailing zeros. */
const HUGE = '123456789012345678901234567890123456789'

/** HUGE base units and one base unit as amounts in whole tokens, keyed by the token's number of decimals. */
const WHOLE: Record<number, [huge: string, one: string]> = {
  0: [HUGE, '1'],
  2: ['1234567890123456789012345678901234567.89', '0.01'],
  6: ['123456789012345678901234567890123.456789', '0.000001'],
  8: ['1234567890123456789012345678901.23456789', '0.00000001'],
  18: ['123456789012345678901.234567890123456789', '0.000000000000000001']
}

test('rejects numbers that would be rounded and duplicate property names, and names the field', async t => {
  const server = await build(t)
  const text = JSON.stringify({ ...swapBody(), amount: '1' })
  const cases: [string, string][] = [
    [text.replace('"amount":"1"', '"amount":9007199.00000000000000000001'), '/amount'],
    [text.replace('"decimals":6', '"decimals":6.00000000000000000001'), '/decimals'],
    [text.replace('"amount":"1"', '"amount":"1","amount":"2"'), '/amount'],
    [text.replace('"amount":"1"', '"amount":"1","newer":[{},{"a":[1,{"b/c":1e400}]}]'), '/newer/1/a/1/b~1c']
  ]
  for (const [payload, path] of cases) {
    const headers = { 'content-type': 'application/json' }
    const answer = await server.inject({ method: 'POST', url: '/submit', payload, headers })
    t.match(answer.json(), { statusCode: 400, code: 'VALIDATION', details: [{ path }] }, path)
  }
})

test('sends amounts to the chain without rounding', async t => {
  const address = `0x${'0'.repeat(39)}1`
  const ofToken = { address, peggedTo: 'USD' as const }
  const tokens = Object.keys(WHOLE).map(decimals => ({ symbol: `T${decimals}`, decimals, ...ofToken }))
  const { server, devnet } = await withChanged(t, 'ETH', chain => ({ tokens: [...chain.tokens, ...tokens] }))
  for (const [decimals, [huge, one]] of Object.entries(WHOLE)) {
    const common = { originSymbol: `T${decimals}`, decimals: Number(decimals) }
    const transfer = { ...swapBody(common), amount: HUGE, fee: '1' }
    const older = { ...swapBody(common), amount: HUGE, submitAmount: HUGE, fee: undefined }
    const swap = swapBody({ ...common, amountIn: HUGE, amountOut: '1', amountOutDecimals: 6, fee: '1' })
    t.equal((await submit(server, transfer)).statusCode, 200)
    t.equal((await submit(server, older)).statusCode, 200)
    t.equal((await submit(server, swap, { path: '/submit/swap' })).statusCode, 200)
    const { transfers, swaps } = messagesOn(devnet)
    t.match(transfers.at(-2), { amount: huge, fee: one }, `${decimals} decimals, version 1.5`)
    t.match(transfers.at(-1), { amount: huge, fee: '0' }, `${decimals} decimals, version 1.4`)
    t.match(swaps.at(-1), { amountIn: huge, amountOut: '0.000001', fee: one }, `${decimals} decimals, swap`)
  }
})
