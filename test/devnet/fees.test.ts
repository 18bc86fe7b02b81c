import { createFeeServer } from '../../packages/devnet/fees/index.ts'
import { type Test, test } from '../helpers/tap.ts'
import { ROUTE } from '../helpers/transfer.ts'

const REQUEST = { creator: 'service15yk64u7zc9g9k2yr2wmzeva5qgwxps6ywuegr7', ...ROUTE, amount: '100' }

/** Response fields that tests read individually. */
interface Quote extends Record<string, unknown> {
  transactionValues: Record<'feeFromOrigin' | 'feeFromTarget', Record<string, string>>
}

async function serve(t: Test, brand = 'service', version = 'v2') {
  const server = await createFeeServer(brand, { host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  return async (change: Record<string, unknown> = {}) => {
    const response = await fetch(`${server.url}/${version}/fees/calculate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...REQUEST, ...change })
    })
    return { status: response.status, body: (await response.json()) as Quote }
  }
}

test('the amounts of a quote add up, as numbers and as digit strings', async t => {
  const quote = await serve(t)
  const { status, body } = await quote()
  t.equal(status, 200)
  t.match(body, { feeId: /^[0-9a-f-]{36}$/, expiration: /^\d{4}-.*Z$/ })
  const { feeId, expiration, ...rest } = body
  t.strictSame(rest, {
    feeOriginGasFiat: 0.35,
    feeOriginGasBigInt: '350000',
    feeServiceProcessingFiat: 0.05,
    feeServiceProcessingBigInt: '50000',
    feeTargetGasFiat: 0.0125,
    feeTargetGasBigInt: '12500',
    feeTotalFiat: 0.4125,
    feeTotalBigInt: '412500',
    totalFeeUsd: 0.4125,
    decimals: 6,
    peggedTo: 'USD',
    options: {},
    transactionValues: {
      feeFromOrigin: {
        allowanceAmount: '100412500',
        submitAmount: '100000000',
        message: `I approve the transfer of 100.4125 USDT from ETH to ${REQUEST.targetAddress} on POL.`
      },
      feeFromTarget: {
        allowanceAmount: '100000000',
        submitAmount: '99587500',
        message: `I approve the transfer of 100 USDT from ETH to ${REQUEST.targetAddress} on POL.`
      }
    }
  })
})

test('amounts beyond the precision of a float stay exact', async t => {
  const quote = await serve(t)
  const { body } = await quote({ originChain: 'BSC', amount: '123456789.123456789012345678' })
  t.equal(body['decimals'], 18)
  t.equal(body.transactionValues.feeFromOrigin['submitAmount'], '123456789123456789012345678')
  t.equal(body['feeServiceProcessingBigInt'], '61728394561728394506173', 'rounds up to the smallest unit')
  t.match(body.transactionValues.feeFromTarget['message'], 'transfer of 123456789.123456789012345678 USDT')
})

test('an amount may be a number or a string, even with an exponent, and stays exact', async t => {
  const quote = await serve(t)
  const submitAmount = async (amount: string | number, originChain = 'ETH') =>
    (await quote({ amount, originChain })).body.transactionValues.feeFromOrigin['submitAmount']
  t.equal(await submitAmount(12.5), '12500000')
  t.equal(await submitAmount('12345e-2'), '123450000')
  t.equal(await submitAmount(1e21), `1${'0'.repeat(27)}`)
  t.equal(await submitAmount('1.2345678E+3'), '1234567800')
  t.equal(await submitAmount('90071992547409.93e-7', 'BSC'), '9007199254740993000000000')
  const small = await quote({ amount: 1e-7, originChain: 'BSC' })
  t.match(small, { status: 400, body: { message: /^amount 0.0000001 does not cover the fees/ } })
})

test('v3 returns every integer amount as a value with its decimals', async t => {
  const quote = await serve(t, 'service', 'v3')
  const options = { paymentMethod: 'creditCard' }
  const { status, body } = await quote({ peggedTo: 'USD', options })
  t.equal(status, 200)
  const six = (value: string) => ({ value, decimals: 6 })
  t.match(body, {
    feeOriginGasBigInt: six('350000'),
    feeServiceProcessingBigInt: six('50000'),
    feeTargetGasBigInt: six('12500'),
    feeTotalFiat: 0.4125,
    feeTotalBigInt: six('412500'),
    peggedTo: 'USD',
    options,
    transactionValues: {
      feeFromOrigin: { allowanceAmount: six('100412500'), submitAmount: six('100000000') },
      feeFromTarget: { allowanceAmount: six('100000000'), submitAmount: six('99587500') }
    }
  })
  t.notOk('decimals' in body)
  t.strictSame((await quote({ peggedTo: 'USD' })).body['options'], {})
})

test('v3 requires the origin token’s peggedTo', async t => {
  const quote = await serve(t, 'service', 'v3')
  t.match(await quote(), { status: 400, body: { message: /peggedTo/ } })
  t.match(await quote({ peggedTo: 'EUR' }), {
    status: 400,
    body: { message: 'peggedTo is EUR, but USDT is pegged to USD' }
  })
  t.match(await quote({ peggedTo: 'USD', options: '{}' }), { status: 400, body: { message: /options/ } })
})

test('quotes tokens with different pegs as a swap', async t => {
  const quote = await serve(t)
  const swap = { originChain: 'BSC', originSymbol: 'USDT', targetChain: 'AVX', targetSymbol: 'EURC' }
  const { status, body } = await quote({ ...swap, amount: '108' })
  t.equal(status, 200)
  t.match(body, {
    feeSwapFiat: 0.324,
    feeSwapBigInt: '324000000000000000',
    feeTotalBigInt: '488000000000000000',
    feeTotalFiat: 0.488,
    decimals: 18,
    peggedTo: 'USD'
  })
  t.strictSame(body['swapInfo'], {
    amountOutFiat: 100,
    amountOutBigInt: '100000000',
    dex: 'devnet',
    slippage: { percentage: 0.5, minAmountFiat: 99.5, maxAmountFiat: 100.5 }
  })
  t.strictSame(Object.keys(body.transactionValues), ['feeFromOrigin'])
  t.match(body.transactionValues.feeFromOrigin, {
    allowanceAmount: '108488000000000000000',
    submitAmount: '108000000000000000000'
  })

  const transfer = await quote()
  t.notOk('swapInfo' in transfer.body || 'feeSwapBigInt' in transfer.body)
})

test('rejects a request that it cannot quote and returns the reason', async t => {
  const quote = await serve(t)
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ amount: '0.0' }, /above zero/],
    [{ amount: '-1' }, /not a decimal/],
    [{ amount: '1e-7' }, /more than 6 fraction digits/],
    [{ amount: '1e300' }, /not a decimal/],
    [{ amount: '0.3' }, /does not cover the fees/],
    [{ amount: true }, /amount/],
    [{ originChain: 'CC' }, /originChain CC is not supported/],
    [{ targetSymbol: 'DOGE' }, /targetSymbol DOGE is not supported on POL/],
    [{ targetChain: 'ETH' }, /transfers from ETH to ETH are not supported/],
    [{ originChain: 'BERA', originSymbol: 'USDC' }, /transfers from BERA to POL are not supported/],
    [{ originAddress: '' }, /originAddress is empty/],
    [{ creator: undefined }, /creator/]
  ]
  for (const [change, message] of cases) {
    const { status, body } = await quote(change)
    t.equal(status, 400, JSON.stringify(change))
    t.match(body['message'], message)
  }
})
