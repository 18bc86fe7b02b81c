import assert from 'node:assert/strict'
import { plainDecimal, refuseZero, toSmallestUnit, toWholeTokens } from '../../services/amounts.ts'
import fc from '../helpers/fast-check.ts'
import { test } from '../helpers/tap.ts'

test('smallest units become whole tokens', async t => {
  const cases: [string, number, string][] = [
    ['100000000', 6, '100'],
    ['100500000', 6, '100.5'],
    ['1', 6, '0.000001'],
    ['0', 6, '0'],
    ['0', 0, '0'],
    ['42', 0, '42'],
    ['0042', 2, '0.42'],
    ['1', 36, `0.${'0'.repeat(35)}1`],
    [
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      18,
      '115792089237316195423570985008687907853269984665640564039457.584007913129639935'
    ]
  ]
  for (const [smallest, decimals, whole] of cases) t.equal(toWholeTokens(smallest, decimals), whole)
})

test('whole tokens become smallest units', async t => {
  const cases: [string, number, string][] = [
    ['100', 6, '100000000'],
    ['0.000001', 6, '1'],
    ['0.10', 1, '1'],
    ['1.000000000000000000', 0, '1'],
    ['0', 18, '0'],
    ['9007199254740993.000000000000000001', 18, '9007199254740993000000000000000001']
  ]
  for (const [whole, decimals, smallest] of cases) t.equal(toSmallestUnit(whole, decimals), smallest)
})

test('an error names the field', async t => {
  const details = [{ path: '/fee', message: 'must be a string of digits' }]
  for (const text of ['', '1.5', '-1', '1e3', ' 1', '0x10', '١', '1\n']) {
    t.throws(() => toWholeTokens(text, 6, 'fee'), { statusCode: 400, message: /^fee /, details })
  }
  for (const text of ['', '.5', '5.', '-1', '1e3', '1,5', 'NaN', 'Infinity', '1\n']) {
    t.throws(() => toSmallestUnit(text, 6, 'amount'), {
      statusCode: 400,
      message: /^amount must be a decimal/
    })
  }
  t.throws(() => toSmallestUnit('0.0000001', 6, 'amount'), {
    message: 'amount must have no more than 6 digits after the point'
  })
  for (const decimals of [-1, 37, 1.5, Number.NaN]) {
    t.throws(() => toWholeTokens('1', decimals), { statusCode: 400, message: /^decimals / })
    t.throws(() => toSmallestUnit('1', decimals), { statusCode: 400, message: /^decimals / })
  }
})

test('zero is refused, however many digits it has', async t => {
  for (const zero of ['0', '00', '0'.repeat(78)]) {
    t.throws(() => refuseZero('amount', zero), { statusCode: 400, message: 'amount must be above zero' })
  }
  for (const digits of ['1', '10', '01', '100000000'])
    t.doesNotThrow(() => refuseZero('amount', digits), digits)
})

test('a JSON number is written without its exponent', async t => {
  const cases: [string, string][] = [
    ['100.50', '100.50'],
    ['1e2', '100'],
    ['1E+2', '100'],
    ['1e-7', '0.0000001'],
    ['12.5e-3', '0.0125'],
    ['1234567e-9', '0.001234567'],
    ['1234567e-7', '0.1234567'],
    ['0.5e1', '5'],
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

test('converting there and back loses nothing', async t => {
  fc.assert(
    fc.property(amount, decimals, (value, places) => {
      assert.equal(toSmallestUnit(toWholeTokens(String(value), places), places), String(value))
    })
  )
  t.pass('every amount came back')
})

test('whole tokens times ten to the power of the decimals are the smallest units', async t => {
  fc.assert(
    fc.property(amount, decimals, (value, places) => {
      const whole = toWholeTokens(String(value), places)
      assert.match(whole, /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
      const [integer = '', fraction = ''] = whole.split('.')
      const sum =
        BigInt(integer) * 10n ** BigInt(places) +
        BigInt(fraction || '0') * 10n ** BigInt(places - fraction.length)
      assert.equal(sum, value)
    })
  )
  t.pass('every sum is exact')
})

test('every number that JavaScript writes is read as it is', async t => {
  fc.assert(
    fc.property(fc.double({ min: 1e-30, max: 1e30, noNaN: true }), number => {
      const plain = plainDecimal(String(number))
      assert.match(plain, /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
      assert.equal(Number(plain), number)
    })
  )
  t.pass('none was changed')
})
