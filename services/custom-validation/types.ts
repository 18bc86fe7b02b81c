// Types for an integrator's validation. The package publishes declarations of this file, which imports nothing.

/** An exact amount of a token. */
export interface SubmittedAmount {
  /**
   * In the token's smallest unit, regardless of the decimals in the request. A fee with more decimals than the token
   * has is rounded up.
   */
  units: bigint
  /** The token's decimals. */
  decimals: number
  /** Whole tokens as a decimal string, as sent to the chain. */
  text: string
}

export interface SubmittedEnd {
  /** Short name; for a rail `CC` or `BANK`. */
  chain: string
  /** Empty for a rail. */
  address: string
  symbol: string
}

/** Whether the user of a crypto origin signed the submission. */
export type Approval =
  | { status: 'approved' }
  /** Only with SERVICE_APPROVAL_CHECK=observe: such a submission is accepted anyway. */
  | { status: 'refused'; problem: string }
  /** A rail, a disabled check, or, with `observe`, an approval that could not be checked. */
  | { status: 'unchecked' }

/** Digits in a token's smallest unit, and the token's decimals. */
interface QuotedAmount {
  value: string
  decimals: number
}

interface QuotedSide {
  submitAmount: QuotedAmount
  message?: string
}

/** A quote that this service issued (interface 5.23). */
interface SubmittedQuote {
  feeId: string
  /** Milliseconds since the epoch. */
  expiresAt: number
  origin: SubmittedEnd
  target: SubmittedEnd
  fee: QuotedAmount
  feeFromOrigin?: QuotedSide
  feeFromTarget?: QuotedSide
  /** The output of a swap, in the target token; undefined for a transfer. */
  amountOut?: QuotedAmount
}

/**
 * A submission as passed to an integrator's validation: the content for the chain, after all earlier checks (interface
 * 12.7).
 */
export interface CheckedSubmission {
  kind: 'transfer' | 'swap'
  feeId: string
  origin: SubmittedEnd & { amount: SubmittedAmount }
  /** The output of a swap, in the target token; undefined for a transfer. */
  target: SubmittedEnd & { amount: SubmittedAmount | undefined }
  /** In the origin token. */
  fee: SubmittedAmount
  /** The quote that the submission matches; undefined if the quote is unknown. */
  quote: SubmittedQuote | undefined
  approval: Approval
}

/**
 * '' for a valid submission, otherwise the reason for rejecting it, optionally with a code for programs (interface
 * 12.2, 12.11).
 */
export type Verdict = string | { code: string; message: string }

/**
 * An integrator's check of a request and its submission. If the check throws, the submission is rejected as temporarily
 * unavailable.
 */
export type CustomTransValidation<Request> = (
  request: Request & { submission: CheckedSubmission }
) => Verdict | Promise<Verdict>
