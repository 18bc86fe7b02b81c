import type { SubmitBody } from './body.ts'
import type { Context } from './context.ts'
import { Histories } from './history.ts'
import { type Quote, type QuoteRequest, requestQuote } from './quote.ts'
import type { Submission, SwapRecord, TransferRecord } from './records.ts'
import { type SubmitOptions, type Submitted, submitAndWait } from './submit.ts'
import { sourceOfSubmission, sourceOfSwap, sourceOfTransfer, type Target, watch } from './watch.ts'

export interface CallOptions {
  signal?: AbortSignal
}

export interface Client {
  /** All routes of the service, with their types; it throws for a missing answer only. */
  readonly api: Context['api']

  /**
   * Asks for a fee quote.
   * @throws ClientError for instance QUOTE_REFUSED, with the fee service's words as its message
   */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>

  /**
   * Submits, and waits until the chain has executed the submission. What fails for a passing reason is sent again for two
   * minutes, with the same body each time, so that the chain executes it once.
   * @throws ClientError why it was refused. With `mayBeAccepted` the result is not known: call this again with the same body and
   *   `isRepeated`
   */
  submitAndWait(body: SubmitBody, options?: SubmitOptions): Promise<Submitted>

  readonly watch: Watch
}

/** States in the order of time; the last one is final. */
export type States<State> = AsyncGenerator<State, void, void>

/**
 * Gives the state of a transfer, a swap or a submission now, then each change, up to a final state.
 * @throws ClientError NOT_FOUND for an unknown id; any other when nothing has worked for two minutes
 */
export interface Watch {
  (target: { txId: number; kind?: 'transfer' }, options?: CallOptions): States<TransferRecord>
  (target: { txId: number; kind: 'swap' }, options?: CallOptions): States<SwapRecord>
  (target: { submissionId: string }, options?: CallOptions): States<Submission>
}

/** The client of a context, whose limits tests can set. */
export function clientOf(context: Context): Client {
  function watchTarget(
    target: { txId: number; kind?: 'transfer' },
    options?: CallOptions
  ): States<TransferRecord>
  function watchTarget(target: { txId: number; kind: 'swap' }, options?: CallOptions): States<SwapRecord>
  function watchTarget(target: { submissionId: string }, options?: CallOptions): States<Submission>
  function watchTarget(target: Target, { signal }: CallOptions = {}) {
    if ('submissionId' in target)
      return watch(context, sourceOfSubmission(context, target.submissionId), signal)
    return target.kind === 'swap'
      ? watch(context, sourceOfSwap(context, target.txId), signal)
      : watch(context, sourceOfTransfer(context, target.txId), signal)
  }
  const histories = new Histories()
  return {
    api: context.api,
    quote: (request, { signal } = {}) => requestQuote(context, request, signal),
    submitAndWait: (body, options = {}) => submitAndWait(context, histories, body, options),
    watch: watchTarget
  }
}
