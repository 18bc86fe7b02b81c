import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Blocker, BlockerKind } from '../types.ts'

export interface Blockers {
  readonly present: Blocker[]
  has(kind: BlockerKind): boolean
  raise(kind: BlockerKind, reason: string): void
  clear(...kinds: BlockerKind[]): void
}

/** The present blockers of the engine. Each is logged when it is raised and when it is cleared. */
export function createBlockers(options: { log: Logger; clock: Clock; onChange?: () => void }): Blockers {
  const { log, clock, onChange = () => {} } = options
  const present = new Map<BlockerKind, Blocker>()
  return {
    get present() {
      return [...present.values()]
    },
    has: kind => present.has(kind),
    raise(kind, reason) {
      if (present.has(kind)) return
      present.set(kind, { kind, reason, since: new Date(clock.now()).toISOString() })
      log.error({ blocker: kind, reason }, 'blocker raised')
      onChange()
    },
    clear(...kinds) {
      for (const kind of kinds) {
        if (!present.delete(kind)) continue
        log.info({ blocker: kind }, 'blocker cleared')
        onChange()
      }
    }
  }
}
