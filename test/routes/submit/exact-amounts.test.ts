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

test('rejects an amount that a JSON number cannot express', async t => {
  const server = await build(t)
  const transfer = JSON.stringify({ ...swapBody(), amount: '1', fee: '1' })
  const headers = { 'content-type': 'application/json' }
  for (const field of ['amount', 'fee', 'submitAmount']) {
    for (const number of ['9007199254740993', '1e400', '0.5', '-1']) {
      const payload = transfer.replace('{', `{"${field}":${number},`).replace(`,"${field}":"1"`, '')
      const answer = await server.inject({ method: 'POST', url: '/submit', payload, headers })
      const { code, details } = answer.json()
      t.same([code, details[0].path], ['VALIDATION', `/${field}`], `${field} ${number}`)
    }
  }
  for (const field of ['amountIn', 'amountOut', 'fee']) {
    const answer = await submit(server, swapBody({ [field]: 1 }), { path: '/submit/swap' })
    t.match(answer.json(), { code: 'VALIDATION', details: [{ path: `/${field}` }] }, `${field} of a swap`)
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
