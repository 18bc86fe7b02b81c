import { pollIntervalMs } from '../../services/async/backoff.ts'
import { ask, type Context } from './ask.ts'
import { ClientError } from './errors.ts'
import { EventStream } from './event-stream.ts'
import {
  isFinal,
  readRecord,
  readSubmission,
  type Submission,
  type SwapRecord,
  type TransactionRecord
} from './records.ts'
import { PATIENCE_MS, pauseAfter } from './timing.ts'
import { isTransient } from './verdicts.ts'

/** A transfer or swap, by its id on the chain, or a submission. */
export type Target = { txId: number; kind?: 'swap' | undefined } | { submissionId: string }

export interface Source<State> {
  path: string
  poll(signal: AbortSignal | undefined): Promise<State>
  /** Reads the state from a response or event. */
  read(response: unknown): State
}

/** How long to retry NOT_FOUND: the chain's REST API might lag behind the node that reported the id. */
const UNKNOWN_FOR_MS = 15_000

/** Pauses between polls. One poll per second is enough (interface 9.13). */
const POLLS = { shortestMs: 1_000, longestMs: 10_000 }

export function sourceOfSubmission(context: Context, submissionId: string): Source<Submission> {
  const read = (response: unknown) => readSubmission(response, submissionId)
  return {
    path: `/submissions/${encodeURIComponent(submissionId)}/events`,
    read,
    poll: async signal =>
      read(
        await ask(context, signal, (api, signal) =>
          api.GET('/submissions/{submissionId}', { params: { path: { submissionId } }, signal })
        )
      )
  }
}

export function sourceOfRecord(
  context: Context,
  kind: 'swap' | undefined,
  txId: number
): Source<TransactionRecord | SwapRecord> {
  const params = { path: { txId: String(txId) } }
  const read = (response: unknown) => readRecord(response, kind, txId)
  return {
    path: `/${kind === 'swap' ? 'swap_tx' : 'tx'}/${txId}/events`,
    read,
    poll: async signal =>
      read(
        kind === 'swap'
          ? await ask(context, signal, (api, signal) => api.GET('/swap_tx/{txId}/status', { params, signal }))
          : await ask(context, signal, (api, signal) => api.GET('/tx/{txId}/status', { params, signal }))
      )
  }
}

/**
 * See `Watch`. Reads the service's event stream, and polls when no events arrive: an older service does not send them,
 * or a proxy buffers them.
 */
export async function* watch<State extends Submission | TransactionRecord | SwapRecord>(
  context: Context,
  { path, poll, read }: Source<State>,
  signal: AbortSignal | undefined
): AsyncGenerator<State, void, void> {
  const { timing } = context
  const stream = new EventStream(context, path)
  let changedAt = timing.now()
  let workedAt = changedAt
  let failures = 0
  let last = ''
  const isNew = (state: State) => {
    workedAt = timing.now()
    failures = 0
    const text = JSON.stringify(state)
    if (text === last) return false
    last = text
    changedAt = workedAt
    return true
  }
  const isWorthAnother = (error: ClientError) =>
    error.code === 'NOT_FOUND'
      ? last === '' && timing.now() - changedAt < UNKNOWN_FOR_MS
      : isTransient(error) && timing.now() - Math.max(workedAt, stream.heardAt) < PATIENCE_MS

  let pollsNext = false
  for (;;) {
    const polls: boolean = pollsNext || !stream.isUsable
    try {
      if (polls) {
        const state = await poll(signal)
        if (isNew(state)) yield state
        if (isFinal(state)) return
        pollsNext = false
        await timing.wait(pollIntervalMs(timing.now() - changedAt, POLLS), signal)
      } else {
        pollsNext = true
        for await (const response of stream.open(signal)) {
          const state = read(response)
          if (isNew(state)) yield state
          stream.isOver = isFinal(state)
          pollsNext = false
        }
        if (stream.isOver) return
        if (!pollsNext) await timing.wait(pauseAfter(0, stream.retry), signal)
      }
    } catch (error) {
      if (!(error instanceof ClientError && isWorthAnother(error))) throw error
      // The service does not know the id yet, so it rejected the stream for the same reason. Try both again.
      if (error.code === 'NOT_FOUND') stream.isUsable = true
      pollsNext = !polls
      failures += 1
      await timing.wait(pauseAfter(failures, error.retryAfter), signal)
    }
  }
}
