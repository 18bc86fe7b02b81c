import { inDecimals, sum, wholeTokens } from '../../packages/client/amounts.ts'
import fc from '../helpers/fast-check.ts'
import { test } from '../helpers/tap.ts'

const amount = fc.record({
  value: fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
  decimals: fc.integer({ min: 0, max: 36 })
})

test('converts to whole tokens without rounding', async t => {
  t.equal(wholeTokens({ value: '1500000', decimals: 6 }), '1.5')
  t.equal(wholeTokens({ value: '100', decimals: 0 }), '100')
  fc.assert(
    fc.property(amount, ({ value, decimals }) => {
      const [whole = '', fraction = ''] = wholeTokens({ value, decimals }).split('.')
      return BigInt(whole + fraction.padEnd(decimals, '0')) === BigInt(value)
    })
  )
})

test('rounds up to fewer decimals, and converts and adds others exactly', async t => {
  t.same(inDecimals({ value: '1000001', decimals: 6 }, 2), { value: '101', decimals: 2 })
  t.same(inDecimals({ value: '1000000', decimals: 6 }, 2), { value: '100', decimals: 2 })
  const half = { value: '5', decimals: 1 }
  t.same(sum([half, { value: '25', decimals: 2 }]), { value: '75', decimals: 2 })
})
