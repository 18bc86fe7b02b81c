import {
  defaultDailyFeeLimit,
  feeFor,
  gasCap,
  gasLimitFor,
  limitReason,
  multiplyUp,
  type Prices,
  priceVerdict,
  raisedFee,
  rememberFee,
  requiredFee
} from '../../../../services/submission/decide/fees.ts'
import fc from '../../../helpers/fast-check.ts'
import { test } from '../../../helpers/tap.ts'

test('multiplies by a decimal exactly, and rounds up', async t => {
  t.equal(multiplyUp(3n, '1.5'), 5n)
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 100n), fc.nat(999_999_999), (amount, digits) => {
      const product = multiplyUp(amount, `0.${String(digits).padStart(9, '0')}`)
      const exact = amount * BigInt(digits)
      return product * 10n ** 9n >= exact && (product - 1n) * 10n ** 9n < exact
    })
  )
})

for (const [log, fee] of [
  ['insufficient fees; got: 10uSERVICE required: 2500uSERVICE: insufficient fee', 2500n],
  ['got: 1a required: 7ibc/AB,2500uSERVICE: insufficient fee', 2500n],
  ['got: 10uSERVICE required: 2500uSERVICE, minGasPrice: 0.5uSERVICE, gas: 5000: insufficient fee', 2500n],
  ['got: 1a required: 2500uSERVICE', 2500n],
  ['required: 1.5uSERVICE: insufficient fee', 2n],
  ['provided fee < minimum global fee (10uSERVICE < 2500uSERVICE). Please increase: insufficient fee', 2500n],
  ['provided fee < minimum global fee (10 < 2499.5). Please increase it.: insufficient fee', 2500n],
  ['gas prices too low, got: 0.01uSERVICE required: 0.025000000000000000uSERVICE. Please retry', 2500n],
  ['insufficient minimum fee for this node; got: 10 required at least: 2500: insufficient fee', 2500n],
  ['got: 1,000uSERVICE required: 1,234,567uSERVICE: insufficient fee', 1_234_567n],
  ['got: 1a required: 10ibc/AB1,500uusd,2,500uSERVICE: insufficient fee', 2500n],
  ['got: 10uOTHER required: 2500uOTHER: insufficient fee', undefined],
  ['insufficient fees', undefined],
  ['required: uSERVICE: insufficient fee', undefined],
  ['required: -5uSERVICE: insufficient fee', undefined]
] as const) {
  test(`reads ${fee === undefined ? 'no fee' : `the fee ${fee}`} from "${log}"`, async t => {
    t.equal(requiredFee(log, 'uSERVICE', 100_000), fee)
  })
}

const prices: Prices = { gasPrice: '0.025', required: undefined, now: 0 }
const after = (fee: bigint, gasLimit: number, now = 0) => ({ required: rememberFee(fee, gasLimit, 0), now })

for (const [title, gasLimit, known, fee] of [
  ['the configured price', 100_000, {}, 2500n],
  ['the price that nodes last required', 100_000, after(5000n, 100_000), 5000n],
  ['the last required price in proportion to the gas, rounded up', 50_001, after(5000n, 100_000), 2501n],
  ['the last required price for ten minutes', 100_000, after(5000n, 100_000, 600_000), 5000n],
  ['the configured price again after ten minutes', 100_000, after(5000n, 100_000, 600_001), 2500n],
  ['at least the configured price', 100_000, after(1n, 100_000), 2500n],
  ['at most five times the price, even after rounding up', 2_000_000, after(10_315n, 82_500), 250_000n],
  ['nothing where gas is free', 100_000, { gasPrice: '0', ...after(5000n, 100_000) }, 0n]
] as const) {
  test(`pays ${title}`, async t => {
    t.equal(feeFor(gasLimit, { ...prices, ...known }), fee)
  })
}

for (const [title, required, known, fee] of [
  ['to the required fee', 5000n, {}, 5000n],
  ['to exactly five times the configured fee', 12_500n, {}, 12_500n],
  ['never above five times the configured fee', 12_501n, {}, undefined],
  ['never above the limit, whatever a node requires', 10n ** 18n, {}, undefined],
  ['never where gas is free', 1n, { gasPrice: '0' }, undefined],
  ['to the present price, if the slot was signed before a raise', 5000n, after(5000n, 100_000), 5000n],
  ['by at least half after a first raise', 5001n, after(5000n, 100_000), 7500n],
  ['by less than half only up to the limit', 12_499n, after(11_250n, 100_000), 12_500n]
] as const) {
  test(`raises a fee ${title}`, async t => {
    const raise = { required, present: 0n, gasLimit: 100_000 }
    t.equal(raisedFee(raise, { ...prices, ...known }), fee)
  })
}

test('raises a fee by half if the node names no amount, up to the limit', async t => {
  const offered: bigint[] = []
  for (let present: bigint | undefined = 2500n; present !== undefined; ) {
    offered.push(present)
    present = raisedFee({ required: undefined, present, gasLimit: 100_000 }, prices)
  }
  t.strictSame(offered, [2500n, 3750n, 5625n, 8438n, 12_500n])
})

test('adds a margin to gas, doubles it at most twice after failures, and caps it', async t => {
  const limits = [0, 1, 2, 9].map(failures => gasLimitFor(100_001, failures))
  t.strictSame(limits, [150_002, 300_004, 600_008, 600_008])
  t.strictSame([1, 12, 13, 100].map(gasCap), [2_000_000, 24_000_000, 25_000_000, 25_000_000])
})

test('allows fees up to the daily limit, by default those of 100,000 transfers', async t => {
  t.strictSame(['0.025', '0'].map(defaultDailyFeeLimit), ['250000000', undefined])
  const fees = { paid: 4000n, inOpenSlots: 500n, added: 500n }
  t.equal(limitReason(fees, 5000n), undefined)
  t.match(limitReason(fees, 4999n), /is reached: paid 4000, inOpenSlots 500, added 500, limit 4999$/)
})

const PRICES: [required: string, areAll: boolean, verdict: ReturnType<typeof priceVerdict>][] = [
  ['', true, 'accepted'],
  ['0.01unit', true, 'accepted'],
  ['0.010000000000000001unit', true, 'raised'],
  ['0.05unit', true, 'raised'],
  ['0.050000000000000001unit', true, 'refused'],
  ['0.5unit', false, 'refused'],
  ['0.001other', true, 'refused'],
  ['0.001other', false, 'accepted'],
  ['0.0other', true, 'accepted'],
  ['0unit,0.001other', true, 'refused'],
  ['9other,0.01unit', true, 'accepted']
]
test('refuses the prices of nodes above the maximum or in another denomination', async t => {
  const settings = { feeDenom: 'unit', gasPrice: '0.01' }
  for (const [required, areAll, verdict] of PRICES) {
    const found = [...required.matchAll(/([\d.]+)([a-z]+)/g)]
    const prices = found.map(([, amount = '', denom = '']) => ({ amount, denom }))
    t.equal(priceVerdict({ prices, areAll }, settings), verdict, `${required} ${areAll}`)
  }
  const free = { ...settings, gasPrice: '0' }
  t.equal(priceVerdict({ prices: [{ denom: 'unit', amount: '0.001' }], areAll: true }, free), 'refused')
})
