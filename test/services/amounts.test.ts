import { exactAmount, plainDecimal, unitsAt } from '../../services/amounts.ts'
import { test } from '../helpers/tap.ts'

test('converts whole tokens to smallest units, rounding down or up', async t => {
  const cases: [string, number, bigint, bigint][] = [
    ['100', 6, 100000000n, 100000000n],
    ['0.10', 1, 1n, 1n],
    ['1.000000000000000000', 0, 1n, 1n],
    ['0', 18, 0n, 0n],
    ['0.0000001', 6, 0n, 1n],
    ['1.5', 0, 1n, 2n],
    [
      '9007199254740993.000000000000000001',
      18,
      9007199254740993000000000000000001n,
      9007199254740993000000000000000001n
    ]
  ]
  for (const [whole, decimals, floor, ceiling] of cases)
    t.strictSame(unitsAt(exactAmount(whole), decimals), { floor, ceiling }, whole)
})

test('expands a JSON number without its exponent', async t => {
  const cases: [string, string][] = [
    ['100.50', '100.50'],
    ['1E+2', '100'],
    ['12.5e-3', '0.0125'],
    ['0.05e1', '0.5'],
    ['1.50e1', '15'],
    ['1.50e0', '1.5'],
    ['90071992547409931.25e1', '900719925474099312.5'],
    ['1e05', '100000']
  ]
  for (const [text, plain] of cases) t.equal(plainDecimal(text), plain, text)
})
