import { type Test, test } from 'tap'
import { createFeeServer } from '../../../devnet/fees/index.ts'

const REQUEST = {
  creator: 'service15yk64u7zc9g9k2yr2wmzeva5qgwxps6ywuegr7',
  originChain: 'ETH',
  originAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  originSymbol: 'USDT',
  targetChain: 'POL',
  targetAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  targetSymbol: 'USDC',
  amount: '100'
}

/** The fields of an answer that tests read one by one. */
interface Quote extends Record<string, unknown> {
  transactionValues: Record<'feeFromOrigin' | 'feeFromTarget', Record<string, string>>
}

async function serve(t: Test, brand = 'service') {
  const server = await createFeeServer(brand, { host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  return async (change: Record<string, unknown> = {}) => {
    const response = await fetch(`${server.url}/v2/fees/calculate`, {
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

test('each quote has a new id', async t => {
  const quote = await serve(t)
  const [first, second] = await Promise.all([quote(), quote()])
  t.not(first.body['feeId'], second.body['feeId'])
})

test('the processing fee carries the brand', async t => {
  const quote = await serve(t, 'acme')
  const { body } = await quote()
  t.equal(body['feeAcmeProcessingBigInt'], '50000')
  t.notOk('feeServiceProcessingBigInt' in body)
})

test('amounts that a float cannot hold stay exact', async t => {
  const quote = await serve(t)
  const { body } = await quote({ originChain: 'BSC', amount: '123456789.123456789012345678' })
  t.equal(body['decimals'], 18)
  t.equal(body.transactionValues.feeFromOrigin['submitAmount'], '123456789123456789012345678')
  t.equal(body['feeServiceProcessingBigInt'], '61728394561728394506173', 'rounded up to the last unit')
  t.match(body.transactionValues.feeFromTarget['message'], 'transfer of 123456789.123456789012345678 USDT')
})

test('fees in another currency are converted and rounded up', async t => {
  const quote = await serve(t)
  const fiat = await quote({ originChain: 'FIAT', originAddress: '', originSymbol: 'USD', amount: '50.10' })
  t.equal(fiat.body['feeServiceProcessingBigInt'], '3', '0.02505 USD is 3 cents')
  t.equal(fiat.body['feeTargetGasBigInt'], '2', '0.0125 USD is 2 cents')
  const bitcoin = await quote({
    originChain: 'BTC',
    originSymbol: 'BTC',
    targetChain: 'ETH',
    targetSymbol: 'WBTC',
    amount: '1'
  })
  t.equal(bitcoin.body['feeOriginGasBigInt'], '750')
  t.equal(bitcoin.body['feeTotalFiat'], 0.00051334)
  t.equal(bitcoin.body['totalFeeUsd'], 30.8004)
})

test('an amount may be a JSON number', async t => {
  const quote = await serve(t)
  const { body } = await quote({ amount: 12.5 })
  t.equal(body.transactionValues.feeFromOrigin['submitAmount'], '12500000')
})

test('a request that cannot be quoted is refused with the reason', async t => {
  const quote = await serve(t)
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ amount: '1.1234567' }, /more than 6 fraction digits/],
    [{ amount: '0.0' }, /above zero/],
    [{ amount: '-1' }, /not a decimal/],
    [{ amount: '1e3' }, /not a decimal/],
    [{ amount: 1e21 }, /not a decimal/],
    [{ amount: '' }, /not a decimal/],
    [{ amount: '0.3' }, /does not cover the fees/],
    [{ amount: true }, /amount/],
    [{ originChain: 'CC' }, /originChain CC is not supported/],
    [{ targetSymbol: 'DOGE' }, /targetSymbol DOGE is not supported on POL/],
    [{ originSymbol: 'EURC' }, /do not follow the same currency/],
    [{ targetChain: 'ETH' }, /no transfers from ETH to ETH/],
    [{ originChain: 'BERA', originSymbol: 'USDC' }, /no transfers from BERA to POL/],
    [{ originAddress: '' }, /originAddress is empty/],
    [{ targetAddress: '' }, /targetAddress/],
    [{ creator: undefined }, /creator/],
    [{ deductFee: 'yes' }, /deductFee/]
  ]
  for (const [change, message] of cases) {
    const { status, body } = await quote(change)
    t.equal(status, 400, JSON.stringify(change))
    t.match(body['message'], message)
  }
})
