import { build, startNetwork } from '../../helpers/app.ts'
import { withChanged } from '../../helpers/chain-api.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { quoteFor, submit, swapBody, TRANSFER } from '../../helpers/transfer-flow.ts'

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
    const exact = () => swapBody({ ...common, targetChain: 'ETH', targetSymbol: 'T18' })
    const transfer = { ...exact(), amount: HUGE, fee: '1' }
    const older = { ...exact(), amount: HUGE, submitAmount: HUGE, fee: undefined }
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

test('rejects a transfer’s amount that is finer than the target token', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const bsc = (change: object) => swapBody({ originChain: 'BSC', decimals: 18, ...change })
  const six = '1000001000000000000'
  const finer = ['1000001000000000001', '1000000100000000000', '1']
  for (const [field, change] of [
    ['amount', {}],
    ['submitAmount', { amount: undefined, fee: undefined }]
  ] as const) {
    for (const amount of finer) {
      const answer = (await submit(server, { ...bsc({}), ...change, [field]: amount })).json()
      const message = /^must have at most 6 decimal places, the decimals of USDC on POL, not [01].0/
      const details = [{ path: `/${field}`, message }]
      t.match(answer, { statusCode: 400, code: 'VALIDATION', details }, `${field} ${amount}`)
    }
    t.match((await submit(server, { ...bsc({}), ...change, [field]: six })).json(), { txId: Number })
  }
  const swap = bsc({ amountIn: finer[0], amountOut: '1', amountOutDecimals: 6 })
  t.match((await submit(server, swap, { path: '/submit/swap' })).json(), { txId: Number })
  t.equal(messagesOn(devnet).transfers.length, 2)
})

test('the development network quotes amounts that fit the target token', async t => {
  const devnet = await startNetwork(t)
  for (const version of ['v2', 'v3']) {
    const fees = { SERVICE_BACKEND_FEE_URL: `${devnet.urls.fees}/${version}` }
    const server = await build(t, { ...fees, SERVICE_QUOTE_CHECK: 'required' }, { devnet })
    for (const side of ['feeFromOrigin', 'feeFromTarget'] as const) {
      const ends = { originChain: 'BSC', amount: '100.123457' }
      const { feeId, feeTotalBigInt: fee, decimals, transactionValues } = await quoteFor(server, ends)
      const { submitAmount: amount } = transactionValues[side]
      const body = { ...swapBody({ ...ends, fee, decimals }, { feeId }), amount }
      t.match((await submit(server, body)).json(), { txId: Number }, `${version} ${side}`)
    }
    const query = { ...TRANSFER, originChain: 'BSC', amount: '100.1234567' }
    const refused = { code: 'QUOTE_REFUSED', message: /more than 6 fraction digits/ }
    t.match((await server.inject({ url: '/submit/fees', query })).json(), refused)
  }
})
