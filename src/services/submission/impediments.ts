import type { Logger } from '../logger.ts'
import type { Clock } from './clock.ts'

/** What keeps the engine from its work and needs somebody outside of it. */
export type ImpedimentKind =
  /** No RPC node has answered since the start. */
  | 'node-unreachable'
  /** The chain does not know the wallet: nobody has sent it anything yet. */
  | 'wallet-unknown'
  /** The chain does not take this wallet's requests (spec §1.3). */
  | 'wallet-not-whitelisted'
  /** The wallet cannot pay its fees. */
  | 'insufficient-funds'
  /** The chain does not accept the wallet's signature: another chain id or account number than expected. */
  | 'signature-refused'

export interface Impediment {
  kind: ImpedimentKind
  /** The chain's own words, for the log and the operator. */
  reason: string
  /** ISO 8601, UTC. */
  since: string
}

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
