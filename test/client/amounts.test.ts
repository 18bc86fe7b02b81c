import { inDecimals, sum, wholeTokens } from '../../packages/client/amounts.ts'
import { test } from '../helpers/tap.ts'

test('converts to whole tokens without rounding', async t => {
  for (const [value, decimals, whole] of [
    ['1500000', 6, '1.5'],
    ['100', 0, '100'],
    ['0', 2, '0'],
    ['1', 36, `0.${'1'.padStart(36, '0')}`],
    [`${'9'.repeat(40)}0`, 18, `${'9'.repeat(23)}.${'9'.repeat(17)}`]
  ] as const)
    t.equal(wholeTokens({ value, decimals }), whole)
})

test('rounds up to fewer decimals, and converts and adds others exactly', async t => {
  t.same(inDecimals({ value: '1000001', decimals: 6 }, 2), { value: '101', decimals: 2 })
  t.same(inDecimals({ value: '1000000', decimals: 6 }, 2), { value: '100', decimals: 2 })
  const half = { value: '5', decimals: 1 }
  t.same(sum([half, { value: '25', decimals: 2 }]), { value: '75', decimals: 2 })
})
