import type { Logger } from '../../logger.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Impediment, ImpedimentKind } from '../types.ts'

export interface Impediments {
  readonly present: Impediment[]
  has(kind: ImpedimentKind): boolean
  raise(kind: ImpedimentKind, reason: string): void
  clear(...kinds: ImpedimentKind[]): void
}

/** Keeps what impedes the engine, and logs each when it comes and when it goes. */
export function createImpediments({ log, clock }: { log: Logger; clock: Clock }): Impediments {
  const present = new Map<ImpedimentKind, Impediment>()
  return {
    get present() {
      return [...present.values()]
    },
    has: kind => present.has(kind),
    raise(kind, reason) {
      if (present.has(kind)) return
      present.set(kind, { kind, reason, since: new Date(clock.now()).toISOString() })
      log.error({ impediment: kind, reason }, 'the engine is impeded')
    },
    clear(...kinds) {
      for (const kind of kinds) {
        if (present.delete(kind)) log.info({ impediment: kind }, 'the engine is not impeded any more')
      }
    }
  }
}
