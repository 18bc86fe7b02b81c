import type { Blocker, Notice, NoticeState } from '../contract.ts'
import { BLOCKERS } from './blockers.ts'

/** How long a blocker must last before it is reported, in milliseconds. Being away for less than that changes nothing. */
const LASTING_MS = 10_000

/** How long a reported blocker must be away before its end is reported. */
const AWAY_MS = 120_000

/** Blockers of normal operation, and notices other than a low balance, are only in `/ready`, the log and the metrics. */
const isReported = ({ kind }: Pick<Blocker, 'kind'>) =>
  kind === 'low-balance' || (BLOCKERS[kind].check !== undefined && !BLOCKERS[kind].isNormal)

/**
 * Decides which blockers of the leader to report to the operator's receiver. A blocker that keeps coming back counts as
 * present, so it is reported once.
 */
export function decideNotices(
  before: readonly NoticeState[],
  blockers: readonly Blocker[],
  now: number
): { state: NoticeState[]; notices: Notice[] } {
  const present = new Map(blockers.filter(isReported).map(({ kind, reason }) => [kind, reason]))
  const added = [...present].flatMap(([kind, reason]): NoticeState[] =>
    before.some(one => one.kind === kind) ? [] : [{ kind, reason, since: now, isSent: false }]
  )
  const notices: Notice[] = []

  function next({ awaySince, ...one }: NoticeState): NoticeState[] {
    const isLow = one.kind === 'low-balance'
    if (present.has(one.kind)) {
      const isDue = !one.isSent && now - one.since >= LASTING_MS
      if (isDue) notices.push({ ...one, type: isLow ? 'wallet.low_balance' : 'service.blocked' })
      return [{ ...one, isSent: one.isSent || isDue }]
    }
    if (awaySince === undefined) return [{ ...one, awaySince: now }]
    if (now - awaySince < (one.isSent ? AWAY_MS : LASTING_MS)) return [{ ...one, awaySince }]
    if (one.isSent && !isLow) notices.push({ ...one, type: 'service.unblocked' })
    return []
  }

  return { state: [...before, ...added].flatMap(next), notices }
}
