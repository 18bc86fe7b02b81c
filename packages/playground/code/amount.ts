import { type Amount, wholeTokens } from '../../client/index.ts'

const format = new Intl.NumberFormat('en', { maximumFractionDigits: 20 })

/** A decimal string with thousands separators. Exact: never converted to a number. */
export const grouped = (decimal: string): string => format.format(decimal as Intl.StringNumericLiteral)

/** Formats an amount for display, such as `1,000,000.5 USDT`. */
export const tokens = (amount: Amount, symbol: string): string => `${grouped(wholeTokens(amount))} ${symbol}`
