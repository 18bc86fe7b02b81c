import { type Amount, wholeTokens } from '../../client/index.ts'

const format = new Intl.NumberFormat('en', { maximumFractionDigits: 20 })

/** A decimal string with thousands separators. It stays exact: no number is made of it. */
export const grouped = (decimal: string): string => format.format(decimal as Intl.StringNumericLiteral)

/** An amount as people read it, such as `1,000,000.5 USDT`. */
export const tokens = (amount: Amount, symbol: string): string => `${grouped(wholeTokens(amount))} ${symbol}`
