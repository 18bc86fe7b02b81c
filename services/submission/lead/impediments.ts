import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Impediment, ImpedimentKind } from '../types.ts'

export interface Impediments {
  readonly present: Impediment[]
  has(kind: ImpedimentKind): boolean
  raise(kind: ImpedimentKind, reason: string): void
  clear(...kinds: ImpedimentKind[]): void
}

/** The present impediments of the engine. Each is logged when it is raised and when it is cleared. */
export function createImpediments(options: {
  log: Logger
  clock: Clock
  onChange?: () => void
}): Impediments {
  const { log, clock, onChange = () => {} } = options
  const present = new Map<ImpedimentKind, Impediment>()
  return {
    get present() {
      return [...present.values()]
    },
    has: kind => present.has(kind),
    raise(kind, reason) {
      if (present.has(kind)) return
      present.set(kind, { kind, reason, since: new Date(clock.now()).toISOString() })
      log.error({ impediment: kind, reason }, 'impediment raised')
      onChange()
    },
    clear(...kinds) {
      for (const kind of kinds) {
        if (!present.delete(kind)) continue
        log.info({ impediment: kind }, 'impediment cleared')
        onChange()
      }
    }
  }
}
