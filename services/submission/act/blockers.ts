import type { Clock } from '../../clock.ts'
import { messageOf, shorten } from '../../errors/shown.ts'
import type { Logger } from '../../logger.ts'
import type { Blocker, BlockerKind } from '../contract.ts'
import { BLOCKERS, blockerOf, ENDS } from '../decide/blockers.ts'

/** The pause before the next attempt while a blocker is present. */
export const BLOCKED_MS = 2000

/** How long a worker may keep failing before a gradual blocker is raised. */
const MAX_FAILING_MS = 10_000

/** How long a notice stays after it was last raised. Blockers stay until they are cleared. */
const NOTICE_MS = 3_600_000

const isNormal = ({ kind }: Blocker) => BLOCKERS[kind].isNormal === true

export type Blockers = ReturnType<typeof createBlockers>

/** Creates the table of present blockers, which `decide/blockers.ts` describes. */
export function createBlockers({
  log,
  clock,
  onChange
}: {
  log: Logger
  clock: Clock
  onChange: () => void
}) {
  const present = new Map<BlockerKind, Blocker & { until: number }>()
  const failing = new Map<string, { kind: BlockerKind; since: number }>()
  const isCurrent = ({ until }: { until: number }) => clock.elapsed() < until

  /** @returns the pause before the next attempt, in milliseconds */
  function raise(kind: BlockerKind, text: string): number {
    const { ends, action } = BLOCKERS[kind]
    const until = clock.elapsed() + (ends === 'time' ? NOTICE_MS : Number.POSITIVE_INFINITY)
    const before = present.get(kind)
    if (before && isCurrent(before)) {
      before.until = until
      return BLOCKED_MS
    }
    const reason = shorten(text)
    const blocker = { kind, reason, since: new Date(clock.now()).toISOString(), until }
    present.set(kind, blocker)
    log[isNormal(blocker) ? 'info' : 'error'](
      { blocker: kind, reason, ends: ENDS[ends], action },
      'blocker raised'
    )
    onChange()
    return BLOCKED_MS
  }

  function clear(...kinds: readonly BlockerKind[]): void {
    for (const kind of kinds) {
      if (!present.delete(kind)) continue
      log.info({ blocker: kind }, 'blocker cleared')
      onChange()
    }
  }

  /** Clears the blocker that the worker's errors raised, unless only a block can end it. */
  function recovered(worker: string): void {
    const { kind } = failing.get(worker) ?? {}
    failing.delete(worker)
    const isShared = [...failing.values()].some(other => other.kind === kind)
    if (kind && !isShared && BLOCKERS[kind].ends === 'step') clear(kind)
  }

  return {
    /** Oldest first. Blockers of normal operation come last. */
    get present(): Blocker[] {
      return [...present.values()]
        .filter(isCurrent)
        .sort((one, other) => Number(isNormal(one)) - Number(isNormal(other)))
        .map(({ until, ...blocker }) => blocker)
    },
    has: (kind: BlockerKind) => present.has(kind),
    raise,
    clear,
    /**
     * Records an error of a worker, and raises its blocker.
     * @param patienceMs how long the worker may keep failing before a gradual blocker is raised
     * @returns the pause before the worker's next step; undefined for a gradual blocker, because the worker may recover
     *   sooner
     */
    failed(worker: string, error: unknown, patienceMs = MAX_FAILING_MS): number | undefined {
      const kind = blockerOf(error)
      const since = failing.get(worker)?.since ?? clock.elapsed()
      if (failing.get(worker)?.kind !== kind) recovered(worker)
      failing.set(worker, { kind, since })
      if (!BLOCKERS[kind].isGradual) return raise(kind, messageOf(error))
      if (clock.elapsed() - since >= patienceMs) raise(kind, messageOf(error))
      return undefined
    },
    recovered
  }
}
