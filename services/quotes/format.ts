import { type QuoteCore, QuotedAmount, type QuoteSide, type ResponseFormat } from '../../schemas/fee-quote.ts'
import { unitsAt } from '../amounts.ts'
import { isObject } from '../json.ts'
import { checkFor } from '../schema-check.ts'
import { scrubAll } from '../secrets.ts'
import { UpstreamError } from '../upstream/errors.ts'

const known = checkFor(QuotedAmount)

/** Decimals of the two tokens, if they are in the registry. */
export interface TokenDecimals {
  origin: number | undefined
  target: number | undefined
}

interface Counting {
  /** Decimals for amounts that do not specify their own (interface 5.20). */
  fallback: number | undefined
  /** Decimals of the digits in a documented quote (interface 5.19). */
  documented: number | undefined
}

/** A quote from the fee service, including fields that are passed on unread. */
export type Quote = QuoteCore & Record<string, unknown>

/**
 * Converts every amount of a quote to the client format. Amounts use the origin token's decimals, except
 * `swapInfo.amountOutBigInt`, which uses the target token's. Fees with more decimals are rounded up.
 * @param source name of the fee service, for the error
 * @throws UpstreamError for a malformed amount, unknown decimals, or a quote without amounts to submit
 */
export function formatQuote(
  quote: Quote,
  format: ResponseFormat,
  tokens: TokenDecimals,
  source: string
): Quote {
  const { feeId, transactionValues, swapInfo } = quote
  const { feeFromOrigin, feeFromTarget } = transactionValues
  const fallback = quote.decimals ?? tokens.origin
  const origin: Counting = {
    fallback,
    documented: quote.decimals ?? decimalsOf((feeFromOrigin ?? feeFromTarget)?.submitAmount) ?? fallback
  }

  function amount(name: string, quoted: unknown, counting: Counting, rounding: 'up' | 'exact'): QuotedAmount {
    const read = readAmount(quoted)
    if (read === undefined) throw fault(`${name} is neither digits nor { value, decimals }`)
    const { value, decimals = counting.fallback } = read
    if (format === 'documented' && decimals === counting.documented) return value
    if (decimals === undefined) throw fault(`the decimals of ${name} are not known`)
    if (format === 'widget') return { value, decimals }
    if (counting.documented === undefined) throw fault('the decimals of the quote are not known')
    const { floor, ceiling } = unitsAt({ units: BigInt(value), decimals }, counting.documented)
    if (rounding === 'exact' && floor !== ceiling) throw fault('an amount is finer than its token')
    return String(ceiling)
  }

  function fields(object: object, counting: Counting, rounding: 'up' | 'exact') {
    const entries = Object.entries(object).map(([name, value]) => {
      return [name, name.endsWith('BigInt') ? amount(name, value, counting, rounding) : value]
    })
    return Object.fromEntries(entries)
  }

  function swap(info: object) {
    const own = 'amountOutBigInt' in info ? decimalsOf(info.amountOutBigInt) : undefined
    return fields(info, { fallback: tokens.target, documented: tokens.target ?? own }, 'exact')
  }

  function side(values: QuoteSide): QuoteSide {
    return {
      ...values,
      allowanceAmount: amount('allowanceAmount', values.allowanceAmount, origin, 'exact'),
      submitAmount: amount('submitAmount', values.submitAmount, origin, 'exact')
    }
  }

  function fault(problem: string): UpstreamError {
    return new UpstreamError(source, problem)
  }

  if (!feeFromOrigin && !feeFromTarget) throw fault('there are no amounts to submit')
  return {
    ...fields(quote, origin, 'up'),
    ...(format === 'documented' && origin.documented !== undefined && { decimals: origin.documented }),
    ...(isObject(swapInfo) && { swapInfo: swap(swapInfo) }),
    feeId,
    transactionValues: {
      ...transactionValues,
      ...(feeFromOrigin && { feeFromOrigin: side(feeFromOrigin) }),
      ...(feeFromTarget && { feeFromTarget: side(feeFromTarget) })
    }
  }
}

/** The strings that the user signs or submits. */
const SUBMITTED = ['feeId', 'message']

/** Returns a quote as JSON, without this server's secrets in what the fee service has added (interface 1.6). */
export const quoteJson = (quote: Quote): string => JSON.stringify(scrubAll(quote, SUBMITTED))

/** @returns digits in the smallest unit, with decimals if the amount specifies them; undefined for any other value */
export function readAmount(amount: unknown): { value: string; decimals?: number } | undefined {
  if (!known.Check(amount)) return undefined
  return typeof amount === 'string' ? { value: amount } : { ...amount, value: String(amount.value) }
}

const decimalsOf = (amount: unknown) => readAmount(amount)?.decimals
