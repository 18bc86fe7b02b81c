import type { QuoteCore, QuoteSide } from '../../schemas/fee-quote.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { readAmount, rescale } from './amounts.ts'

/** `documented` has digits beside one `decimals`, `widget` has `{ value, decimals }` (interface 5.17). */
export type AnswerFormat = 'documented' | 'widget'

/** Decimals of the two tokens, as far as the registry knows them. */
export interface TokenDecimals {
  origin: number | undefined
  target: number | undefined
}

/** A quote as the fee service gave it, with whatever else it says. */
export type Quote = QuoteCore & Record<string, unknown>

/**
 * Writes every amount of a quote in the form that clients read, whichever form the fee service uses; all else stays
 * as it came. Amounts are in the origin token's decimals, except `swapInfo.amountOutBigInt`, which is in the target
 * token's. Fees that are finer than that are rounded up.
 * @param source name of the fee service, for the error
 * @throws UpstreamError for an amount in neither form, and for one whose decimals nobody knows
 */
export function formatQuote(
  quote: Quote,
  format: AnswerFormat,
  tokens: TokenDecimals,
  source: string
): Quote {
  const origin = originDecimals(quote) ?? tokens.origin

  function documented(value: string, named: number, decimals: number, rounding: 'up' | 'exact'): string {
    const digits = rescale(value, named, decimals, rounding)
    if (digits === undefined) throw fault('an amount is finer than its token')
    return digits
  }

  function amount(name: string, quoted: unknown, decimals: number | undefined, rounding: 'up' | 'exact') {
    const read = readAmount(quoted)
    if (read === undefined) throw fault(`${name} is neither digits nor { value, decimals }`)
    const { value, decimals: named = decimals } = read
    if (format === 'documented')
      return named === undefined ? value : documented(value, named, decimals ?? named, rounding)
    if (named === undefined) throw fault(`the decimals of ${name} are not known`)
    return { value, decimals: named }
  }

  /** The fields of an object, those that are amounts written anew. */
  function fields(object: object, decimals: number | undefined, rounding: 'up' | 'exact') {
    const entries = Object.entries(object).map(([name, value]) => {
      return [name, name.endsWith('BigInt') ? amount(name, value, decimals, rounding) : value]
    })
    return Object.fromEntries(entries)
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

  const { feeId, transactionValues, swapInfo } = quote
  const { feeFromOrigin, feeFromTarget } = transactionValues
  return {
    ...fields(quote, origin, 'up'),
    ...(format === 'documented' && origin !== undefined && { decimals: origin }),
    ...(typeof swapInfo === 'object' &&
      swapInfo !== null && { swapInfo: fields(swapInfo, tokens.target, 'exact') }),
    feeId,
    transactionValues: {
      ...transactionValues,
      ...(feeFromOrigin && { feeFromOrigin: side(feeFromOrigin) }),
      ...(feeFromTarget && { feeFromTarget: side(feeFromTarget) })
    }
  }
}

/** What the quote itself says of its decimals. */
function originDecimals({ decimals, transactionValues }: Quote): number | undefined {
  if (typeof decimals === 'number') return decimals
  const { feeFromOrigin, feeFromTarget } = transactionValues
  return readAmount((feeFromOrigin ?? feeFromTarget)?.submitAmount)?.decimals
}
