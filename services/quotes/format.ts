import type { QuoteCore, QuotedAmount, QuoteSide } from '../../schemas/fee-quote.ts'
import { unitsAt } from '../amounts.ts'
import { isObject } from '../json.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { readAmount } from './amounts.ts'

/** `documented` has digits beside one `decimals`, `widget` has `{ value, decimals }` (interface 5.17). */
export type AnswerFormat = 'documented' | 'widget'

/** Decimals of the two tokens, as far as the registry knows them. */
export interface TokenDecimals {
  origin: number | undefined
  target: number | undefined
}

/** How the amounts of a token are counted, as far as it is known. */
interface Counting {
  /** Decimals of an amount that names none (interface 5.20). */
  unnamed: number | undefined
  /** Decimals of the digits in a documented quote (interface 5.19). */
  documented: number | undefined
}

/** A quote as the fee service gave it, with whatever else it says. */
export type Quote = QuoteCore & Record<string, unknown>

/**
 * Writes every amount of a quote in the form that clients read, whichever form the fee service uses; all else stays
 * as it came. Amounts are in the origin token's decimals, except `swapInfo.amountOutBigInt`, which is in the target
 * token's. Fees that are finer than that are rounded up.
 * @param source name of the fee service, for the error
 * @throws UpstreamError for an amount in neither form, for one whose decimals nobody knows, and for a quote without
 *   amounts to submit
 */
export function formatQuote(
  quote: Quote,
  format: AnswerFormat,
  tokens: TokenDecimals,
  source: string
): Quote {
  const { feeId, transactionValues, swapInfo } = quote
  const { feeFromOrigin, feeFromTarget } = transactionValues
  const unnamed = quote.decimals ?? tokens.origin
  const origin: Counting = {
    unnamed,
    documented: quote.decimals ?? namedBy((feeFromOrigin ?? feeFromTarget)?.submitAmount) ?? unnamed
  }

  function amount(name: string, quoted: unknown, counting: Counting, rounding: 'up' | 'exact'): QuotedAmount {
    const read = readAmount(quoted)
    if (read === undefined) throw fault(`${name} is neither digits nor { value, decimals }`)
    const { value, decimals = counting.unnamed } = read
    if (format === 'documented' && decimals === counting.documented) return value
    if (decimals === undefined) throw fault(`the decimals of ${name} are not known`)
    if (format === 'widget') return { value, decimals }
    if (counting.documented === undefined) throw fault('the decimals of the quote are not known')
    const { floor, ceiling } = unitsAt({ units: BigInt(value), decimals }, counting.documented)
    if (rounding === 'exact' && floor !== ceiling) throw fault('an amount is finer than its token')
    return String(ceiling)
  }

  /** The fields of an object, those that are amounts written anew. */
  function fields(object: object, counting: Counting, rounding: 'up' | 'exact') {
    const entries = Object.entries(object).map(([name, value]) => {
      return [name, name.endsWith('BigInt') ? amount(name, value, counting, rounding) : value]
    })
    return Object.fromEntries(entries)
  }

  function swap(info: object) {
    const named = 'amountOutBigInt' in info ? namedBy(info.amountOutBigInt) : undefined
    return fields(info, { unnamed: tokens.target, documented: tokens.target ?? named }, 'exact')
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

/** The decimals that an amount names itself. */
function namedBy(amount: unknown): number | undefined {
  return readAmount(amount)?.decimals
}
