import { fieldError } from './errors/index.ts'

const DIGITS = /^[0-9]+$/
const DECIMAL = /^[0-9]+(\.[0-9]+)?$/

/**
 * Smallest units to whole tokens, exactly: `toWholeTokens('100000000', 6)` is `'100'`, `('5', 1)` is `'0.5'`.
 * The result has no leading zeros and no zeros at the end of its fraction (interface 18.7).
 *
 * @param smallest digit string
 * @param decimals 0–36
 * @param field name of the parameter, for the error
 * @throws ServiceError VALIDATION naming the field
 */
export function toWholeTokens(smallest: string, decimals: number, field = 'amount'): string {
  if (!DIGITS.test(smallest)) throw fieldError(field, 'must be a string of digits')
  checkDecimals(decimals)
  const digits = BigInt(smallest)
    .toString()
    .padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/(?<!0)0+$/, '')
  return fraction === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`
}

/**
 * Whole tokens to smallest units, exactly: `toSmallestUnit('0.5', 1)` is `'5'` (interface 18.6).
 *
 * @param whole decimal string without sign and exponent
 * @param decimals 0–36
 * @param field name of the parameter, for the error
 * @throws ServiceError VALIDATION naming the field, also when the fraction has more digits than the token
 */
export function toSmallestUnit(whole: string, decimals: number, field = 'amount'): string {
  if (!DECIMAL.test(whole)) throw fieldError(field, 'must be a decimal number')
  checkDecimals(decimals)
  const [integer = '', fraction = ''] = whole.split('.')
  const significant = fraction.replace(/(?<!0)0+$/, '')
  if (significant.length > decimals) {
    throw fieldError(field, `must have no more than ${decimals} digits after the point`)
  }
  return BigInt(integer + significant.padEnd(decimals, '0')).toString()
}

/**
 * A JSON number without its exponent, exactly: `plainDecimal('1e-7')` is `'0.0000001'`. A number without one stays as
 * it is.
 *
 * @param text a non-negative number as JSON writes it
 */
export function plainDecimal(text: string): string {
  const [mantissa = '', exponent] = text.toLowerCase().split('e')
  if (exponent === undefined) return text
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`
  const point = whole.length + Number(exponent)
  const integer =
    digits
      .slice(0, Math.max(point, 0))
      .padEnd(point, '0')
      .replace(/^0+(?=\d)/, '') || '0'
  const rest = digits
    .slice(Math.max(point, 0))
    .padStart(digits.length - point, '0')
    .replace(/(?<!0)0+$/, '')
  return rest === '' ? integer : `${integer}.${rest}`
}

/**
 * @param digits digit string
 * @throws ServiceError VALIDATION for zero, naming the field
 */
export function refuseZero(field: string, digits: string): void {
  if (/^0+$/.test(digits)) throw fieldError(field, 'must be above zero')
}

function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 36) {
    throw fieldError('decimals', 'must be an integer from 0 to 36')
  }
}

/** An amount of base units from digits, where there is one. */
export const optionalAmount = (digits: string | undefined): bigint | undefined =>
  digits === undefined ? undefined : BigInt(digits)
