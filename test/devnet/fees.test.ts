import { createFeeServer } from '../../packages/devnet/fees/index.ts'
import { type Test, test } from '../helpers/tap.ts'
import { ROUTE } from '../helpers/transfer.ts'

const REQUEST = { creator: 'service15yk64u7zc9g9k2yr2wmzeva5qgwxps6ywuegr7', ...ROUTE, amount: '100' }

async function serve(t: Test) {
  const server = await createFeeServer('service', { host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  return async (change: Record<string, unknown> = {}, version = 'v2') => {
    const response = await fetch(`${server.url}/${version}/fees/calculate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...REQUEST, ...change })
    })
    return { status: response.status, body: Object(await response.json()) }
  }
}

test('an amount may be a number or a string, even with an exponent, and stays exact', async t => {
  const quote = await serve(t)
  const submitAmount = async (amount: string | number, originChain = 'ETH') =>
    (await quote({ amount, originChain })).body.transactionValues.feeFromOrigin.submitAmount
  t.equal(await submitAmount(12.5), '12500000')
  t.equal(await submitAmount(1e21), `1${'0'.repeat(27)}`)
  t.equal(await submitAmount('1.2345678E+3'), '1234567800')
  t.equal(await submitAmount('90071992547409.93e-7', 'BSC'), '9007199254740993000000000')
})

test('quotes tokens with different pegs as a swap', async t => {
  const quote = await serve(t)
  const swap = { originChain: 'BSC', originSymbol: 'USDT', targetChain: 'AVX', targetSymbol: 'EURC' }
  const { body } = await quote({ ...swap, amount: '108' })
  t.match(body, { feeSwapBigInt: '324000000000000000', feeTotalBigInt: '488000000000000000' })
  t.strictSame(body.swapInfo, {
    amountOutFiat: 100,
    amountOutBigInt: '100000000',
    dex: 'devnet',
    slippage: { percentage: 0.5, minAmountFiat: 99.5, maxAmountFiat: 100.5 }
  })
})

test('rejects a request that it cannot quote and returns the reason', async t => {
  const quote = await serve(t)
  const cases: [Record<string, unknown>, RegExp, version?: string][] = [
    [{ amount: '0.0' }, /above zero/],
    [{ amount: '-1' }, /not a decimal/],
    [{ amount: '1e-7' }, /more than 6 fraction digits/],
    [{ amount: '0.3' }, /does not cover the fees/],
    [{ originChain: 'CC' }, /originChain CC is not supported/],
    [{ targetSymbol: 'DOGE' }, /targetSymbol DOGE is not supported on POL/],
    [{ targetChain: 'ETH' }, /transfers from ETH to ETH are not supported/],
    [{ originAddress: '' }, /originAddress is empty/],
    [{}, /peggedTo/, 'v3'],
    [{ peggedTo: 'EUR' }, /^peggedTo is EUR, but USDT is pegged to USD$/, 'v3']
  ]
  for (const [change, message, version] of cases) {
    t.match(await quote(change, version), { status: 400, body: { message } }, JSON.stringify(change))
  }
})
