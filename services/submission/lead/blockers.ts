import type { Clock } from '../../clock.ts'
import { shorten } from '../../errors/shown.ts'
import type { Logger } from '../../logger.ts'
import type { Blocker, BlockerKind } from '../types.ts'

/** The pause before the next attempt while a blocker is present. */
export const BLOCKED_MS = 2000

export type Blockers = ReturnType<typeof createBlockers>

export function createBlockers({
  log,
  clock,
  onChange
}: {
  log: Logger
  clock: Clock
  onChange: () => void
}) {
  const present = new Map<BlockerKind, Blocker>()
  return {
    get present(): Blocker[] {
      return [...present.values()]
    },
    has: (kind: BlockerKind) => present.has(kind),
    /** @returns the pause before the next attempt */
    raise(kind: BlockerKind, text: string): number {
      if (present.has(kind)) return BLOCKED_MS
      const reason = shorten(text)
      present.set(kind, { kind, reason, since: new Date(clock.now()).toISOString() })
      log.error({ blocker: kind, reason }, 'blocker raised')
      onChange()
      return BLOCKED_MS
    },
    clear(...kinds: BlockerKind[]): void {
      for (const kind of kinds) {
        if (!present.delete(kind)) continue
        log.info({ blocker: kind }, 'blocker cleared')
        onChange()
      }
    }
  }
}
