// What integrators write a validation with. The package has the declarations of this file, which imports nothing.

/** An amount of a token, exactly. */
export interface SubmittedAmount {
  /** In the token's smallest unit, whatever decimals the request has. A fee that is finer than this is rounded up. */
  units: bigint
  /** The token's. */
  decimals: number
  /** Whole tokens as a decimal string, as the chain gets them. */
  text: string
}

export interface SubmittedEnd {
  /** Short name; for a rail `CC` or `BANK`. */
  chain: string
  /** Empty for a rail. */
  address: string
  symbol: string
}

/** Whether the user of a crypto origin has signed what is submitted. */
export type Approval =
  | { status: 'approved' }
  /** Only with SERVICE_APPROVAL_CHECK=observe, which lets it pass. */
  | { status: 'refused'; problem: string }
  /** A rail, a check that is off, or, with `observe`, a chain that did not answer. */
  | { status: 'unchecked' }

/** Digits in the smallest unit of a token, and how many of them are decimals. */
interface QuotedAmount {
  value: string
  decimals: number
}

interface QuotedSide {
  submitAmount: QuotedAmount
  message?: string
}

/** A quote that this service has given (interface 5.23). */
interface SubmittedQuote {
  feeId: string
  /** Milliseconds since the epoch. */
  expiresAt: number
  /** A rail is `FIAT` without an address. */
  origin: SubmittedEnd
  target: SubmittedEnd
  fee: QuotedAmount
  feeFromOrigin?: QuotedSide
  feeFromTarget?: QuotedSide
  /** What arrives, in the target token; of a swap alone. */
  amountOut?: QuotedAmount
}

/** A submission as an integrator's validation gets it: what the chain would get, after the checks before it (interface 12.7). */
export interface CheckedSubmission {
  kind: 'transfer' | 'swap'
  feeId: string
  origin: SubmittedEnd & { amount: SubmittedAmount }
  /** The amount is that of a swap, in the target's token; undefined for a transfer. */
  target: SubmittedEnd & { amount: SubmittedAmount | undefined }
  /** In the origin's token. */
  fee: SubmittedAmount
  /** The quote, with which the submission agrees; undefined when it is not known. */
  quote: SubmittedQuote | undefined
  approval: Approval
}

/** '' for a valid submission, otherwise why it is refused, where wanted with a code for programs (interface 12.2, 12.11). */
export type Verdict = string | { code: string; message: string }

/** The integrator's check of a request with what it would put on the chain. What it throws refuses the submission for now. */
export type CustomTransValidation<Request> = (
  request: Request & { submission: CheckedSubmission }
) => Verdict | Promise<Verdict>
