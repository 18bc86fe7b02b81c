import assert from 'node:assert/strict'
import {
  addAmounts,
  compareAmounts,
  exactAmount,
  plainDecimal,
  subtractAmounts,
  unitsAt,
  wholeText
} from '../../services/amounts.ts'
import fc from '../helpers/fast-check.ts'
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

test('compares, adds and subtracts amounts with different decimals', async t => {
  const [less, more] = [exactAmount('0.4'), exactAmount('1.25')]
  t.strictSame([compareAmounts(less, more), compareAmounts(more, less)], [-1, 1])
  t.equal(compareAmounts(exactAmount('0.4'), exactAmount('0.400')), 0)
  t.equal(wholeText(addAmounts(less, more)), '1.65')
  t.equal(wholeText(subtractAmounts(more, less)), '0.85')
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

const decimals = fc.integer({ min: 0, max: 36 })
const amount = fc.bigInt(0n, 2n ** 256n)

test('converts every amount exactly', async t => {
  fc.assert(
    fc.property(amount, decimals, (value, places) => {
      const whole = wholeText({ units: value, decimals: places })
      assert.match(whole, /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
      const [integer = '', fraction = ''] = whole.split('.')
      const sum =
        BigInt(integer) * 10n ** BigInt(places) +
        BigInt(fraction || '0') * 10n ** BigInt(places - fraction.length)
      assert.equal(sum, value)
      assert.equal(unitsAt(exactAmount(whole), places).floor, value)
    })
  )
  t.pass('every conversion is exact')
})

test('expands every JavaScript number without changing its value', async t => {
  fc.assert(
    fc.property(fc.double({ min: 1e-30, max: 1e30, noNaN: true }), number => {
      const plain = plainDecimal(String(number))
      assert.match(plain, /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
      assert.equal(Number(plain), number)
    })
  )
  t.pass('no value changed')
})
