import { computed } from '@preact/signals'
import { HashLink } from '../parts/hash-link.tsx'
import { Icon } from '../parts/icon.tsx'
import { chainOf } from '../state/catalogue.ts'
import { history, isFailed, isOver, record } from '../state/watch.ts'

interface Entry {
  readonly status: string
  /** The newest status is `under way`, or `completed` or `failed` if it is final. */
  readonly state: 'past' | 'under way' | 'completed' | 'failed' | 'to come'
  /** When the page first received this status. Missing if the page never received it. */
  readonly at?: Date
}

/** Statuses of a successful transfer, in order (interface 9.7). */
const path = ['Available', 'Pull_Confirmed', 'Pulled', 'Paid', 'Completed']

/** The transfer's past, current and expected statuses. */
const timeline = computed<Entry[]>(() => {
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

const meanings: Readonly<Record<string, string>> = {
  Available: 'The chain has accepted the request',
  Pull_Confirmed: 'The pull from the user is confirmed',
  Pulled: 'The amount is in the pool',
  Paid: 'The pool has paid out',
  Completed: 'Final: the transfer succeeded',
  RefundStart: 'The refund has begun',
  RefundCompleted: 'Final: the amount was refunded',
  RefundFailed: 'Final: the refund failed. Ask the chain’s operator',
  FailedToPull: 'Final: nothing was pulled',
  FailedToPay: 'Final: the payout failed. Ask the chain’s operator',
  UnAvailable: 'Final: the transfer is not possible',
  DeclinedInvalid: 'Final: declined as invalid'
}

export function Timeline() {
  const entries = timeline.value
  const last = entries.findLast(({ state }) => state !== 'to come')
  return (
    <>
      <ol class="timeline" aria-label="Status of the transfer">
        {entries.map(entry => (
          <TimelineEntry key={entry.status} {...entry} />
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {last !== undefined ? `Status: ${last.status}. ${meanings[last.status] ?? ''}` : ''}
      </p>
    </>
  )
}

function TimelineEntry({ status, state, at }: Entry) {
  const isLast = state !== 'past' && state !== 'to come'
  return (
    <li data-state={state} aria-current={isLast ? 'step' : undefined}>
      <span class="timeline-mark" aria-hidden="true">
        {state === 'failed' && <Icon name="cross" />}
        {(state === 'past' || state === 'completed') && <Icon name="check" />}
      </span>
      <span class="timeline-name">{status}</span>
      <time class="muted">{at?.toLocaleTimeString() ?? ''}</time>
      <span class="timeline-text">
        <span class="hint">{meanings[status] ?? 'This page does not know this status'}</span>
        <Hash status={status} isToCome={state === 'to come'} />
      </span>
    </li>
  )
}

/** Renders the transaction hash of a status, with a link to its chain's explorer. */
function Hash({ status, isToCome }: { status: string; isToCome: boolean }) {
  const { pullhash, releasehash, refundhash, originchain = '', targetchain = '' } = record.value ?? {}
  const hashes: Readonly<Record<string, [hash: string | undefined, chain: string]>> = {
    Pulled: [pullhash, originchain],
    Paid: [releasehash, targetchain],
    RefundCompleted: [refundhash, originchain]
  }
  const [hash, chain] = hashes[status] ?? []
  if (chain === undefined) return null
  return <HashLink hash={isToCome ? undefined : hash} explorer={chainOf(chain)?.blockExplorers.default.url} />
}
