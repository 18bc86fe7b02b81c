import { type Clock, systemClock } from '../../../../services/clock.ts'
import { createFeePolicy, multiplyUp, requiredFee } from '../../../../services/submission/decide/fees.ts'
import fc from '../../../helpers/fast-check.ts'
import { test } from '../../../helpers/tap.ts'

function policy(gasPrice: string, clock: Clock) {
  const fees = createFeePolicy({ gasPrice, maxPriceFactor: 5 }, clock)
  return {
    ...fees,
    /** Pays a required fee, if it is allowed. */
    raise(required: bigint, gasLimit: number): boolean {
      const fee = fees.raised({ required, present: 0n, gasLimit })
      if (fee !== undefined && fee !== fees.feeFor(gasLimit)) fees.pay(fee, gasLimit)
      return fee !== undefined
    }
  }
}

test('multiplies by a decimal exactly, and rounds up', async t => {
  t.equal(multiplyUp(100_000n, '0.025'), 2500n)
  t.equal(multiplyUp(100_001n, '0.025'), 2501n)
  t.equal(multiplyUp(3n, '1.5'), 5n)
  t.equal(multiplyUp(2n ** 80n, '2'), 2n ** 81n)
  t.equal(multiplyUp(12345n, '0'), 0n)
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
  [
    'provided fee < minimum global fee (10 < 2499.5). Please increase the gas price.: insufficient fee',
    2500n
  ],
  ['gas prices too low, got: 0.01uSERVICE required: 0.025000000000000000uSERVICE. Please retry', 2500n],
  ['insufficient minimum fee for this node; got: 10 required at least: 2500: insufficient fee', 2500n],
  ['got: 10uOTHER required: 2500uOTHER: insufficient fee', undefined],
  ['insufficient fees', undefined],
  ['required: uSERVICE: insufficient fee', undefined],
  ['required: -5uSERVICE: insufficient fee', undefined]
] as const) {
  test(`reads the required fee for 100,000 gas: ${log}`, async t => {
    t.equal(requiredFee(log, 'uSERVICE', 100_000), fee)
  })
}

test('pays at least the gas price that a node last required', async t => {
  let now = 0
  const fees = policy('0.025', { ...systemClock, elapsed: () => now })
  t.equal(fees.feeFor(100_000), 2500n)
  t.ok(fees.raise(5000n, 100_000))
  t.equal(fees.feeFor(100_000), 5000n)
  t.equal(fees.feeFor(50_001), 2501n)
  now += 600_000
  t.equal(fees.feeFor(100_000), 5000n)
  now += 1
  t.equal(fees.feeFor(100_000), 2500n, 'after ten minutes the configured price applies again')
})

test('pays at most the allowed multiple of the configured price', async t => {
  const fees = policy('0.025', systemClock)
  t.notOk(fees.raise(12_501n, 100_000))
  t.notOk(fees.raise(10n ** 18n, 100_000))
  t.equal(fees.feeFor(100_000), 2500n)
  t.notOk(policy('0', systemClock).raise(1n, 100_000))
  t.ok(fees.raise(12_500n, 100_000), 'exactly five times the configured price is allowed')
})

test('stays within the price limit when gas increases after a required fee was rounded up', async t => {
  const fees = policy('0.025', systemClock)
  t.ok(fees.raise(10_315n, 82_500), 'five times 2062.5, rounded up')
  t.equal(fees.feeFor(2_000_000), 250_000n)
})

test('raises an already raised price by half, unless it already covers the required fee', async t => {
  const fees = policy('0.025', systemClock)
  t.ok(fees.raise(5000n, 100_000))
  t.ok(fees.raise(5000n, 100_000), 'the next slot was signed before the raise')
  t.equal(fees.feeFor(100_000), 5000n)
  t.ok(fees.raise(5001n, 100_000))
  t.equal(fees.feeFor(100_000), 7500n)
  t.ok(fees.raise(12_499n, 100_000))
  t.ok(fees.raise(12_500n, 100_000))
  t.equal(fees.feeFor(100_000), 12_500n, 'never above five times the configured price')
})

test('raises a fee by half if the node names no amount, up to the limit', async t => {
  const fees = policy('0.025', systemClock)
  const offered: bigint[] = []
  for (let present: bigint | undefined = 2500n; present !== undefined; ) {
    offered.push(present)
    present = fees.raised({ required: undefined, present, gasLimit: 100_000 })
  }
  t.strictSame(offered, [2500n, 3750n, 5625n, 8438n, 12_500n])
})
