import { computed } from '@preact/signals'
import { history, isFailed, isOver } from './watch.ts'

export interface Entry {
  readonly status: string
  /** The newest status is `under way`, or `completed` or `failed` if it is final. */
  readonly state: 'past' | 'under way' | 'completed' | 'failed' | 'to come'
  /** When the page first received this status. Missing if the page never received it. */
  readonly at?: Date
}

/** Statuses of a successful transfer, in order (interface 9.7). */
export const path = ['Available', 'Pull_Confirmed', 'Pulled', 'Paid', 'Completed']

/** The transfer's past, current and expected statuses. */
export const timeline = computed<Entry[]>(() => {
  const seen = new Map(history.value.map(({ status, at }) => [status, at]))
  const last = history.value.at(-1)?.status
  const reached = path.findLastIndex(status => seen.has(status))
  const others = [...seen.keys()].filter(status => !path.includes(status))
  const toCome = isOver.value || others.length > 0 ? [] : path.slice(reached + 1)
  const lastState = isFailed.value ? 'failed' : isOver.value ? 'completed' : 'under way'
  return [...path.slice(0, reached + 1), ...others, ...toCome].map(status => {
    const at = seen.get(status)
    const isToCome = path.indexOf(status) > reached && at === undefined
    return { status, state: status === last ? lastState : isToCome ? 'to come' : 'past', ...(at && { at }) }
  })
})
