import { ask } from './ask.ts'
import { isSwapBody, type SubmitBody } from './body.ts'
import type { Context } from './context.ts'
import { ClientError } from './errors.ts'
import { type Submission, unlike } from './records.ts'
import { aborted, PATIENCE_MS, pauseAfter } from './timing.ts'
import { isRefusedUnread, verdictOf } from './verdicts.ts'
import { sourceOfSubmission, watch } from './watch.ts'

/** A submission that the chain has executed. */
export interface Submitted {
  submissionId: string
  /** To watch it by; missing when the chain did not report it (interface 7.14). Do not submit it again. */
  txId?: number
  transactionHash?: string
  height?: number
}

/** How far a submission has come. */
export type SubmitState =
  | { status: 'sending'; attempt: number }
  /** The attempt failed; the same body is sent again. */
  | { status: 'waiting'; attempt: number; error: ClientError }
  /** The service has accepted it, or the chain has decided. */
  | { status: Submission['status']; submissionId: string }

export interface SubmitOptions {
  signal?: AbortSignal
  onState?: (state: SubmitState) => void
  /** What the service knows the submission by, besides the feeId (interface 6.25). */
  idempotencyKey?: string
  /**
   * True when an earlier call may have sent this body, for instance before a reload of the page. A refusal is then final
   * only after a minute, in which that attempt may still be accepted.
   */
  isRepeated?: boolean
}

/** How long an attempt without an answer may still be accepted, by another server (docs/errors.md, rule 6 of retrying). */
const UNDECIDED_MS = 60_000

/** Whether the service may have accepted the submission, as far as is known. */
interface Progress {
  mayBeAccepted: boolean
}

/**
 * Submits, and waits until the chain has executed the submission. What fails for a passing reason is sent again, with the
 * same body each time, so that the chain executes it once.
 * @throws ClientError why it was refused. With `mayBeAccepted` the result is not known: call this again with the same body and
 * `isRepeated`
 */
export async function submitAndWait(
  context: Context,
  body: SubmitBody,
  options: SubmitOptions
): Promise<Submitted> {
  const progress = { mayBeAccepted: options.isRepeated === true }
  try {
    const answer = await send(context, body, options, progress)
    if (!isAccepted(answer)) {
      options.onState?.({ status: 'committed', submissionId: answer.submissionId })
      return answer
    }
    return await follow(context, answer.submissionId, options, progress)
  } catch (thrown) {
    const { message, failure, cause } = thrown instanceof ClientError ? thrown : endedByCaller(thrown)
    throw new ClientError(message, failure, { ...progress, cause })
  }
}

/** What `onState` or a wrong option throws ends the call as a signal does, and must not hide that it may be accepted. */
const endedByCaller = (cause: unknown) =>
  new ClientError('The call was ended by an error of its caller', { code: 'ABORTED' }, { cause })

/** Sends a submission until the service has accepted or refused it (docs/errors.md, "Retrying"). */
async function send(
  context: Context,
  body: SubmitBody,
  { signal, onState, idempotencyKey, isRepeated }: SubmitOptions,
  progress: Progress
): Promise<Submitted | Accepted> {
  const { timing } = context
  const post = poster(context, body, idempotencyKey)
  const startedAt = timing.now()
  /** When the last attempt ended that may have been accepted. */
  let unansweredAt = isRepeated ? startedAt : undefined
  for (let attempt = 1; ; attempt += 1) {
    onState?.({ status: 'sending', attempt })
    if (signal?.aborted) throw aborted(signal)
    const sentAt = timing.now()
    progress.mayBeAccepted = true
    let error: ClientError
    try {
      return await post(signal)
    } catch (thrown) {
      if (!(thrown instanceof ClientError) || thrown.code === 'ABORTED') throw thrown
      error = thrown
    }
    const verdict = verdictOf(error)
    const isRefused = verdict === 'refused' || verdict === 'exists'
    const isDecided = unansweredAt === undefined || sentAt - unansweredAt >= UNDECIDED_MS
    if (verdict === 'unknown') unansweredAt = timing.now()
    const isFinal = error.code === 'CHAIN_REJECTED' || (isRefused && isDecided)
    const saysOfEarlier = isFinal && !isRefusedUnread(error)
    progress.mayBeAccepted = verdict === 'exists' || (!saysOfEarlier && unansweredAt !== undefined)
    const pause = pauseAfter(attempt, isRefused ? undefined : error.retryAfter)
    const isTooLong = !isRefused && timing.now() - startedAt + pause > PATIENCE_MS
    if (isFinal || isTooLong) throw error
    onState?.({ status: 'waiting', attempt, error })
    await timing.wait(pause, signal)
  }
}

/** The answer to a submission that the chain has not decided yet (interface 6.27). */
interface Accepted {
  submissionId: string
  status: string
}

const isAccepted = (answer: object): answer is Accepted => 'status' in answer

/** Sends the same text each time: the caller's object may change meanwhile. */
function poster({ api, timing }: Context, body: SubmitBody, idempotencyKey: string | undefined) {
  const text = JSON.stringify(body)
  const header = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  // A key that no header can hold is the caller's error. In fetch it would look like a connection that failed.
  new Headers(header)
  const options = { params: { header }, bodySerializer: () => text }
  return async (signal: AbortSignal | undefined): Promise<Submitted | Accepted> => {
    const answer = await ask(timing, signal, signal =>
      isSwapBody(body)
        ? api.POST('/submit/swap', { ...options, body, signal })
        : api.POST('/submit/transfer', { ...options, body, signal })
    )
    // The answer may be that of a proxy.
    if (typeof answer?.submissionId !== 'string') throw unlike('a submission')
    if ('status' in answer) return { submissionId: answer.submissionId, status: answer.status }
    const { submissionId, txId, transactionHash, height } = answer
    if (!Number.isSafeInteger(txId)) throw unlike('a submission')
    return { submissionId, txId, transactionHash, height }
  }
}

/** Follows a submission that was accepted until the chain has decided. */
async function follow(
  context: Context,
  submissionId: string,
  { signal, onState }: SubmitOptions,
  progress: Progress
): Promise<Submitted> {
  for await (const state of watch(context, sourceOfSubmission(context, submissionId), signal)) {
    onState?.({ status: state.status, submissionId })
    if (state.status === 'rejected') {
      progress.mayBeAccepted = false
      throw rejected(state)
    }
    if (state.status === 'committed') {
      const { txId, transactionHash, height } = state
      return {
        submissionId,
        ...(txId !== undefined && { txId }),
        ...(transactionHash !== undefined && { transactionHash }),
        ...(height !== undefined && { height })
      }
    }
  }
  throw unlike('the result of a submission')
}

/** What a submit request answers to a submission that the chain refuses (interface 6.24). */
function rejected({ error }: Submission): ClientError {
  const { codespace = '', code = 0, message = '' } = error ?? {}
  return new ClientError(`The chain refused the transaction (${codespace} ${code}): ${message}`, {
    code: 'CHAIN_REJECTED',
    status: 400,
    details: []
  })
}
