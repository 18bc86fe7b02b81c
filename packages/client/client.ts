import type { Context } from './ask.ts'
import type { SubmitBody } from './body.ts'
import { Histories } from './history.ts'
import { type Quote, type QuoteRequest, requestQuote } from './quote.ts'
import type { Submission, SwapRecord, TransactionRecord } from './records.ts'
import { type SubmitOptions, type Submitted, submitAndWait } from './submit.ts'
import { sourceOfRecord, sourceOfSubmission, type Target, watch } from './watch.ts'

export interface CallOptions {
  signal?: AbortSignal
}

export interface Client {
  /** A typed openapi-fetch client for all routes of the service. Throws only without a response in JSON. */
  readonly api: Context['api']

  /**
   * Requests a fee quote.
   * @throws ClientError, for instance QUOTE_REFUSED with the fee service's message
   */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>

  /**
   * Submits the body and waits until the chain has executed it. Retries transient failures for two minutes. Every
   * attempt sends the same body, so the chain executes it only once.
   * @throws ClientError when the submission is rejected or the retries fail. If `mayBeAccepted` is true, the result is
   *   unknown: call again with the same body and `isRepeated: true`
   */
  submitAndWait(body: SubmitBody, options?: SubmitOptions): Promise<Submitted>

  readonly watch: Watch
}

/** States in chronological order, up to the final state. */
export type States<State> = AsyncGenerator<State, void, void>

/**
 * Yields the current state of a transfer, swap or submission, then every later state, up to the final one. A swap needs
 * `kind: 'swap'` only with SERVICE_RESPONSE_FORMAT=widget, or if a transfer has the same id (interface 9.16).
 * @throws ClientError, such as NOT_FOUND for an unknown id, or the last error after two minutes without success
 */
export interface Watch {
  (target: { txId: number; kind?: undefined }, options?: CallOptions): States<TransactionRecord>
  (target: { txId: number; kind: 'swap' }, options?: CallOptions): States<SwapRecord>
  (target: { submissionId: string }, options?: CallOptions): States<Submission>
}

/** Tests call this function to set their own timeouts. */
export function clientOf(context: Context): Client {
  const watchTarget = (target: Target, { signal }: CallOptions = {}) =>
    'submissionId' in target
      ? watch(context, sourceOfSubmission(context, target.submissionId), signal)
      : watch(context, sourceOfRecord(context, target.kind, target.txId), signal)
  const histories = new Histories()
  return {
    api: context.api,
    quote: (request, { signal } = {}) => requestQuote(context, request, signal),
    submitAndWait: (body, options = {}) => submitAndWait(context, histories, body, options),
    watch: watchTarget as Watch
  }
}
