import { computed, effect, signal, untracked } from '@preact/signals'
import type { SwapRecord, TransactionRecord } from '../../client/index.ts'
import { client } from '../service.ts'
import { showBalancesAfter } from './allowance.ts'
import { linked, showLink, type Watched } from './link.ts'
import { createLoader } from './loadable.ts'
import { isSwapBody, submitted } from './submission.ts'

/** A status and when the page first received it. */
export interface Seen {
  readonly status: string
  readonly at: Date
}

/** Loads the transfer until its status is final. */
const loader = createLoader<void>()

export const watchState = loader.state
export const record = signal<TransactionRecord | SwapRecord | undefined>(undefined)
export const history = signal<readonly Seen[]>([])

/** Whether the last status is final, so the client has stopped watching. */
export const isOver = computed(() => watchState.value.status === 'ready')
const isCompleted = computed(() => record.value?.txstatus === 'Completed')
export const isFailed = computed(() => isOver.value && !isCompleted.value)

/** The transaction to watch, from the page's URL or from an executed submission. */
export const watched = computed<Watched | undefined>(() => {
  const txId = submitted.value?.txId
  return linked.value ?? (txId === undefined ? undefined : { txId, isSwap: isSwapBody.value })
})

/** Whether the submission was executed without a txId (interface 6.30). */
export const isUnwatchable = computed(() => submitted.value !== undefined && watched.value === undefined)

/** Whether the page has stopped watching, so the user can start another transfer. */
export const isEnded = computed(
  () => isOver.value || isUnwatchable.value || watchState.value.status === 'failed'
)

/** Watches the transfer. Call again after a failure. */
export async function startWatching(): Promise<void> {
  const subject = watched.peek()
  if (subject === undefined) return
  const { txId, isSwap } = subject
  await loader.load(async signal => {
    const states = isSwap
      ? client.watch({ txId, kind: 'swap' }, { signal })
      : client.watch({ txId }, { signal })
    for await (const state of states) note(state)
    void showBalancesAfter()
  })
}

function note(next: TransactionRecord | SwapRecord): void {
  record.value = next
  const { txstatus: status } = next
  if (history.peek().at(-1)?.status === status) return
  history.value = [...history.peek(), { status, at: new Date() }]
}

/**
 * The id of the watched transaction. A retry of the same submission has the same id, so it does not restart the watch.
 */
const watchedId = computed(() => watched.value?.txId)

effect(() => {
  const txId = watchedId.value
  untracked(() => {
    showLink(watched.value)
    if (txId === undefined) {
      if (!isOver.peek()) loader.reset()
    } else {
      if (txId !== record.peek()?.tx_id) forgetWatched()
      if (watchState.peek().status === 'idle') void startWatching()
    }
  })
})

export function forgetWatched(): void {
  loader.reset()
  record.value = undefined
  history.value = []
}
