import { type Static, Type } from '@sinclair/typebox'
import {
  address,
  chainName,
  decimals,
  digitString,
  feeId,
  originAddress,
  tokenSymbol
} from '../../schemas/leaves.ts'

// The interface between quotes and their store, and the types of the stored values.

/** Digits in a token's smallest unit, and the token's decimals. */
export type QuoteAmount = Static<typeof Amount>
const Amount = Type.Object({ value: digitString(), decimals: decimals() })

/** A quote for one of the two ways to pay the fees, with the message to sign, unless it is too long for a submission. */
const Side = Type.Object({
  allowanceAmount: Amount,
  submitAmount: Amount,
  message: Type.Optional(Type.String())
})

const end = (chainAddress: ReturnType<typeof address>) =>
  Type.Object({ chain: chainName(), address: chainAddress, symbol: tokenSymbol() })

/** A rail has its own name, never `FIAT`, and an empty address. */
export const QuoteEnds = Type.Object({
  origin: end(originAddress('Empty for a rail')),
  target: end(address())
})

/** `amountOut`: the output of a swap, in the target token. */
export const QuoteAmounts = Type.Object({
  paymentMethod: Type.Optional(Type.String()),
  fee: Amount,
  feeFromOrigin: Type.Optional(Side),
  feeFromTarget: Type.Optional(Side),
  amountOut: Type.Optional(Amount)
})

export const FeeId = feeId()

/** The terms of a quote that a user agrees to (interface 5.26, 5.27). */
export interface QuoteTerms extends Static<typeof QuoteEnds>, Static<typeof QuoteAmounts> {
  feeId: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

export interface StoredQuote extends QuoteTerms {
  /** The caller that requested the quote with an API key. Only this caller may submit the quote (interface 24.5). */
  caller?: string
  /** The quote has expired and the transfer costs more now, so it is never accepted again (interface 5.29). */
  isRefused: boolean
}

export interface QuoteKey {
  /** The chain and its surroundings: a quote is unknown in any other network. Contains a fixed number of spaces. */
  network: string
  feeId: string
}

export interface NewQuote extends QuoteTerms, QuoteKey {
  /** The client whose limit the quote counts against. */
  client: string
  caller?: string | undefined
}

/** The quotes in a store (interface 5.23, 5.24). Every method can throw StoreUnavailableError. */
export interface QuoteStore {
  /**
   * Stores a quote. Replaces one with the same feeId, unless that one has other ends, another caller or was refused.
   * Quotes that arrive in the same turn of the event loop share one transaction.
   * @returns whether the quote is stored
   * @throws StoreUncertainError if it is unknown whether the quote was stored
   */
  putQuote(quote: NewQuote): Promise<boolean>
  /** Returns a quote, including an expired one that is still honoured; an error if it is damaged. */
  findQuote(key: QuoteKey): Promise<StoredQuote | Error | undefined>
  /** Extends or refuses an expired quote, unless it has changed since it expired at `expiredAt`. */
  changeQuote(
    key: QuoteKey,
    expiredAt: number,
    change: Pick<StoredQuote, 'expiresAt' | 'isRefused'>
  ): Promise<void>
  /**
   * Deletes up to `limit` quotes that are no longer honoured, and for each maximum in `most` that is exceeded up to
   * `limit` more, those that expire first.
   * @returns the number of deleted quotes; 0 if none is left to delete
   */
  forgetQuotes(limit: number, most?: { ofClient: number; ofWallet: number }): Promise<number>
}
