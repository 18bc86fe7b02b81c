import { BEHAVIOURS, type Behaviour, PAIRED, PAYMENT } from './chain/messages.ts'
import { CALL_FAULTS } from './faults/calls.ts'
import { LASTING_FAULTS } from './faults/lasting.ts'
import { createRandom, type Random } from './random.ts'

export type Fault = (typeof CALL_FAULTS | typeof LASTING_FAULTS)[number]

export const FAULTS: readonly Fault[] = [...CALL_FAULTS, ...LASTING_FAULTS]

export interface SubmissionPlan {
  identity: string
  behaviour: Behaviour
  /** How the lock behaves that a transfer of this name needs. */
  lockBehaviour?: Behaviour
  atMs: number
  copies: number
  /** Time of a resubmission, if any. */
  againAtMs: number | undefined
  /** Time of a submission with the same identity but other content, if any. */
  conflictAtMs: number | undefined
  persists: boolean
  retriesRefused: boolean
}

export type Plan = ReturnType<typeof drawPlan>

function drawSubmission(random: Random, identity: string, lastMs: number, poison: number): SubmissionPlan {
  const atMs = random.chance(0.3) ? random.int(0, 3) * 500 : random.int(0, lastMs)
  const later = (probability: number) => (random.chance(probability) ? atMs + random.int(0, 4000) : undefined)
  return {
    identity,
    behaviour: random.chance(poison) ? random.pick(BEHAVIOURS) : 'plain',
    atMs,
    copies: random.chance(0.2) ? random.int(2, 4) : 1,
    againAtMs: later(0.3),
    conflictAtMs: later(0.15),
    persists: random.chance(0.85),
    retriesRefused: random.chance(0.3)
  }
}

/**
 * Faults that hide the transactions of a lost store from the look-back, or from the gate, which reads the mempool of
 * every reachable node. Some of the faults hide transactions only until the look-back has finished.
 */
const HIDING: readonly Fault[] = [
  'late-request',
  'duplicate',
  'lost-answer',
  'node-down',
  'node-lags',
  'node-frozen',
  'node-pruned',
  'node-elsewhere',
  'nonsense-status',
  'no-simulation',
  'slow-simulation',
  'module-paused'
]

/** Draws each fault from a stream of its own, so that a new fault does not change which others a seed draws. */
function drawFaults(seed: number, density: number, only: readonly Fault[]): Fault[] {
  // Crashes aggravate every other fault, so they are drawn more often.
  const rates: Partial<Record<Fault, number>> = { crash: 2 * density, 'store-set-back': 0.08 }
  const isDrawn = (fault: Fault) => createRandom(seed, `draws ${fault}`).chance(rates[fault] ?? density)
  const drawn = FAULTS.filter(fault => only.includes(fault) && isDrawn(fault))
  return drawn.includes('store-set-back') ? drawn.filter(fault => !HIDING.includes(fault)) : drawn
}

/** Draws simultaneous submissions for one transaction, with a log as long as on a real chain; none for most seeds. */
function drawBurst(random: Random, lastMs: number): Partial<SubmissionPlan>[] | undefined {
  if (!random.chance(0.05)) return undefined
  const atMs = random.int(0, lastMs)
  return Array.from({ length: random.int(8, 20) }, () => {
    const behaviour = random.chance(0.2) ? 'refused-by-event' : 'plain'
    return { atMs, copies: 1, behaviour }
  })
}

/** Draws payments of rails. Some are refused in a block, where a stranger reads their seeds and uses them. */
function drawPayment(random: Random, index: number, lastMs: number): Partial<SubmissionPlan> {
  if (!random.chance(0.4)) return {}
  const identity = `${PAYMENT}${index}`
  if (!random.chance(0.3)) return { identity }
  const behaviour = random.pick(['refused-by-event', 'hidden-poison'] as const)
  return { identity, behaviour, conflictAtMs: random.int(lastMs, lastMs + 8000) }
}

/** Draws transfers that need a lock. Few locks are refused. */
function drawPair(random: Random, index: number): Partial<SubmissionPlan> {
  if (!random.chance(0.5)) return {}
  const lockBehaviour = random.chance(0.2) ? random.pick(BEHAVIOURS) : 'plain'
  return { identity: `${PAIRED}${index}`, lockBehaviour }
}

export function drawPlan(seed: number, only: readonly Fault[] = FAULTS) {
  const random = createRandom(seed, 'plan')
  const density = random.pick([0, 0.1, 0.2, 0.2, 0.35])
  // Some faults only matter if they last long.
  const faultsEndMs = random.chance(0.05) ? random.int(10_000, 30_000) : random.int(1500, 6000)
  // A crowd is rare because its schedule takes long to run. Most messages of a crowd fail.
  const isCrowd = random.chance(0.003)
  const poison = isCrowd ? 0.8 : random.pick([0, 0, 0.15, 0.4])
  const many = random.chance(0.05) ? random.int(12, 30) : random.int(1, 6)
  const count = isCrowd ? random.int(80, 150) : many
  const burst = isCrowd ? undefined : drawBurst(random, faultsEndMs)
  const drawKind = random.chance(0.2) ? drawPair : drawPayment
  return {
    seed,
    faults: new Set(drawFaults(seed, density, only)),
    faultsEndMs,
    nodeCount: random.int(1, 3),
    replicas: random.pick([1, 1, 2, 3]),
    /** The wallet's initial sequence; 0 for a new wallet. */
    firstSequence: random.pick([0, 0, 1, random.int(2, 100), 5_000_000]),
    blockMs: random.int(500, 1500),
    blockGas: random.pick([600_000, 2_000_000, 4_000_000, 40_000_000]),
    sdk: random.pick(['0.47', '0.50'] as const),
    /** Maximum latency of a call to a node (`latencyMs`) and to the store (`storeMs`), in milliseconds. */
    latencyMs: random.pick([0, 20, 150, 400]),
    storeMs: random.pick([0, 0, 5, 100]),
    submissions: Array.from({ length: burst?.length ?? count }, (_, index) => ({
      ...drawSubmission(random, `fee-${index}`, faultsEndMs, poison),
      ...burst?.[index],
      ...drawKind(random, index, faultsEndMs)
    }))
  }
}
