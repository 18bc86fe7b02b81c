import { ask, type Context } from './ask.ts'
import { isSwapBody, type SubmitBody } from './body.ts'
import { ClientError } from './errors.ts'
import { type Histories, type History, isDecided, mayBeAccepted } from './history.ts'
import { type Submission, unlike } from './records.ts'
import { aborted, PATIENCE_MS, pauseAfter } from './timing.ts'
import { isRefusedUnread, verdictOf } from './verdicts.ts'
import { sourceOfSubmission, watch } from './watch.ts'

/** A submission that the chain has executed. */
export interface Submitted {
  submissionId: string
  /** The id to watch. Missing if the chain did not report an id (interface 7.14). Do not submit again in that case. */
  txId?: number
  transactionHash?: string
  height?: number
}

/** The progress of a submission. */
export type SubmitState =
  | { status: 'sending'; attempt: number }
  /** The attempt failed. The client will resend the body. */
  | { status: 'waiting'; attempt: number; error: ClientError }
  /** The service has accepted the submission, or the chain has executed or rejected it. */
  | { status: Submission['status']; submissionId: string }

export interface SubmitOptions {
  signal?: AbortSignal
  onState?: (state: SubmitState) => void
  /** Identifies the submission to the service, in addition to the feeId or payment (interface 7.3). */
  idempotencyKey?: string
  /**
   * Set to true if this body might have been sent before, for instance before a page reload. The client then treats a
   * rejection as final only after a minute, because the service might still accept the earlier attempt.
   */
  isRepeated?: boolean
}

interface Attempt {
  sentAt: number
  /** Whether the service might have accepted the attempt. */
  mayBeAccepted: boolean
}

interface Call {
  context: Context
  options: SubmitOptions
  history: History
  last: Attempt
}

/** See `Client.submitAndWait`. */
export async function submitAndWait(
  context: Context,
  histories: Histories,
  body: SubmitBody,
  options: SubmitOptions
): Promise<Submitted> {
  const text = textOf(body)
  const history = histories.begin(text)
  const startedAt = context.timing.now()
  if (options.isRepeated) history.unansweredAt = startedAt
  const call = { context, options, history, last: { sentAt: startedAt, mayBeAccepted: false } }
  try {
    const answer = await send(call, poster(call, body, text))
    if (isAccepted(answer)) return await follow(call, answer.submissionId)
    history.isExecuted = true
    options.onState?.({ status: 'committed', submissionId: answer.submissionId })
    return answer
  } catch (thrown) {
    const { message, failure, cause } = thrown instanceof ClientError ? thrown : abortedByCaller(thrown)
    if (call.last.mayBeAccepted) history.unansweredAt = context.timing.now()
    throw new ClientError(message, failure, { mayBeAccepted: mayBeAccepted(history), cause })
  } finally {
    histories.end(text, history)
  }
}

/** Wraps an error from `onState` or an invalid option, because the caller still needs `mayBeAccepted`. */
const abortedByCaller = (cause: unknown) =>
  new ClientError('The call was aborted by an error in the calling code', { code: 'ABORTED' }, { cause })

/** Serializes the body for all attempts: the caller might change the object between attempts. */
function textOf(body: SubmitBody): string {
  try {
    return JSON.stringify(body)
  } catch (error) {
    throw abortedByCaller(error)
  }
}

/** Retries until the service accepts or rejects the submission (docs/errors.md, "Retrying"). */
async function send({ context, options, history, last }: Call, post: Post): Promise<Submitted | Accepted> {
  const { timing } = context
  const { signal, onState } = options
  const startedAt = timing.now()
  for (let attempt = 1; ; attempt += 1) {
    onState?.({ status: 'sending', attempt })
    if (signal?.aborted) throw aborted(signal)
    last.sentAt = timing.now()
    last.mayBeAccepted = true
    let error: ClientError
    try {
      return await post(signal)
    } catch (thrown) {
      if (!(thrown instanceof ClientError) || thrown.code === 'ABORTED') throw thrown
      error = thrown
    }
    const verdict = verdictOf(error)
    const isRefused = verdict === 'refused' || verdict === 'exists'
    const isRejected = error.code === 'CHAIN_REJECTED'
    const decides = isRefused && isDecided(history, last.sentAt, isRejected)
    last.mayBeAccepted = verdict === 'exists'
    if (verdict === 'unknown') history.unansweredAt = timing.now()
    if (decides && !isRefusedUnread(error)) history.unansweredAt = undefined
    const pause = pauseAfter(attempt, isRefused ? undefined : error.retryAfter)
    const isTooLong = !isRefused && timing.now() - startedAt + pause > PATIENCE_MS
    if (decides || isRejected || isTooLong) throw error
    onState?.({ status: 'waiting', attempt, error })
    await timing.wait(pause, signal)
  }
}

/** The response to a submission that the chain has not executed or rejected yet (interface 6.27). */
interface Accepted {
  submissionId: string
  status: string
}

const isAccepted = (answer: object): answer is Accepted => 'status' in answer

type Post = (signal: AbortSignal | undefined) => Promise<Submitted | Accepted>

function poster({ context, options: { idempotencyKey } }: Call, body: SubmitBody, text: string): Post {
  const isSwap = isSwapBody(body)
  const header = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  // Throws if the key is not a valid header value. In fetch, that error would look like a failed connection.
  new Headers(header)
  const options = { params: { header }, bodySerializer: () => text }
  return async signal => {
    const answer = await ask(context, signal, (api, signal) =>
      isSwap
        ? api.POST('/submit/swap', { ...options, body, signal })
        : api.POST('/submit/transfer', { ...options, body, signal })
    )
    // The response might come from a proxy.
    if (typeof answer?.submissionId !== 'string') throw unlike('a submission')
    if ('status' in answer) return { submissionId: answer.submissionId, status: answer.status }
    const { submissionId, txId, transactionHash, height } = answer
    if (!Number.isSafeInteger(txId)) throw unlike('a submission')
    return { submissionId, txId, transactionHash, height }
  }
}

/** Watches an accepted submission until the chain has executed or rejected it. */
async function follow({ context, options, history, last }: Call, submissionId: string): Promise<Submitted> {
  const { signal, onState } = options
  for await (const state of watch(context, sourceOfSubmission(context, submissionId), signal)) {
    if (state.status === 'committed') history.isExecuted = true
    if (state.status === 'rejected') {
      last.mayBeAccepted = false
      if (isDecided(history, last.sentAt, true)) history.unansweredAt = undefined
    }
    onState?.({ status: state.status, submissionId })
    if (state.status === 'rejected') throw rejected(state)
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

/** Creates the error that a submit request gets when the chain rejects the submission (interface 6.24). */
function rejected({ error }: Submission): ClientError {
  const { codespace = '', chainCode = 0, message = '' } = error ?? {}
  return new ClientError(`The chain refused the transaction (${codespace} ${chainCode}): ${message}`, {
    code: 'CHAIN_REJECTED',
    status: 400,
    details: []
  })
}
