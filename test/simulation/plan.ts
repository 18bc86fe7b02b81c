import { FAULTS, type Fault } from './faults/names.ts'
import type { Sdk } from './model-chain/results.ts'
import type { Behaviour } from './model-chain/transaction.ts'
import { createRandom, type Random } from './random.ts'

/** What clients do with one submission. */
export interface SubmissionPlan {
  identity: string
  behaviour: Behaviour
  /** When it is first submitted, in milliseconds. */
  atMs: number
  /** How many clients submit it at that moment. */
  copies: number
  /** When a client submits it again, if at all. */
  againAtMs: number | undefined
  /** When a client submits other content under the same identity, if at all. */
  conflictAtMs: number | undefined
  /** Whether the client retries after a refusal or without an answer. */
  persists: boolean
  /** Whether the client submits again after the chain's rejection. */
  retriesRefused: boolean
}

/** Everything that a seed decides in advance. */
export interface Plan {
  seed: number
  faults: ReadonlySet<Fault>
  /** All faults end before this. */
  faultsEndMs: number
  nodeCount: number
  /** How many replicas of the service share the store. */
  replicas: number
  /** The sequence of the wallet at the start; 0 for a new wallet. */
  firstSequence: number
  blockMs: number
  blockGas: number
  sdk: Sdk
  /** The longest time of a call to a node, and to the store; 0 for none. */
  latencyMs: number
  storeMs: number
  submissions: SubmissionPlan[]
}

const BEHAVIOURS: readonly Behaviour[] = [
  'poison',
  'hidden-poison',
  'forbidden',
  'mocking',
  'echoing',
  'malformed',
  'refused-by-event',
  'hungry',
  'insatiable',
  'heavy',
  'oversized'
]

/** Drawn apart, so that each seed keeps the rest of its plan. */
const LIES: readonly Fault[] = ['fee-absurd', 'block-limit-lies', 'huge-gas-by-index', 'account-lies']

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
 * What hides transactions of a lost store: from the gate, which asks every node that answers what its mempool has, from the look
 * back, or until it is over.
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

/** Drawn apart, so that it leaves the rest of a plan as it is. */
function withSetBack(faults: readonly Fault[], seed: number): Fault[] {
  if (!createRandom(seed, 'store-set-back').chance(0.08)) return [...faults]
  return [...faults.filter(fault => !HIDING.includes(fault)), 'store-set-back']
}

/**
 * Submissions at one moment, of which the chain refuses none but by an event: they fit into one transaction, whose log is then as
 * long as those of a real chain. Drawn apart, too.
 */
function drawBurst(seed: number, lastMs: number): Partial<SubmissionPlan>[] | undefined {
  const random = createRandom(seed, 'burst')
  if (!random.chance(0.05)) return undefined
  const atMs = random.int(0, lastMs)
  return Array.from({ length: random.int(8, 20) }, () => {
    const behaviour = random.chance(0.2) ? 'refused-by-event' : 'plain'
    return { atMs, copies: 1, behaviour }
  })
}

/** @param only the faults to choose from; all when left out */
export function drawPlan(seed: number, only: readonly Fault[] = FAULTS): Plan {
  const random = createRandom(seed, 'plan')
  const density = random.pick([0, 0.1, 0.2, 0.2, 0.35])
  // Crashes are drawn more often, because they make every other fault worse.
  const lies = createRandom(seed, 'lies')
  const drawn = FAULTS.filter(
    fault =>
      fault !== 'store-set-back' &&
      (LIES.includes(fault) ? lies : random).chance(fault === 'crash' ? 2 * density : density)
  )
  const chosen = only.includes('store-set-back') ? withSetBack(drawn, seed) : drawn
  // Some faults do harm only when they last.
  const faultsEndMs = random.chance(0.05) ? random.int(10_000, 30_000) : random.int(1500, 6000)
  // Few schedules have a crowd of submissions, which is slow to simulate, and most of its messages fail.
  const isCrowd = random.chance(0.003)
  const poison = isCrowd ? 0.8 : random.pick([0, 0, 0.15, 0.4])
  const many = random.chance(0.05) ? random.int(12, 30) : random.int(1, 6)
  const count = isCrowd ? random.int(80, 150) : many
  const burst = isCrowd ? undefined : drawBurst(seed, faultsEndMs)
  return {
    seed,
    faults: new Set(chosen.filter(fault => only.includes(fault))),
    faultsEndMs,
    nodeCount: random.int(1, 3),
    replicas: createRandom(seed, 'replicas').pick([1, 1, 2, 3]),
    firstSequence: random.pick([0, 0, 1, random.int(2, 100), 5_000_000]),
    blockMs: random.int(500, 1500),
    blockGas: random.pick([600_000, 2_000_000, 4_000_000, 40_000_000]),
    sdk: random.pick(['0.47', '0.50']),
    latencyMs: random.pick([0, 20, 150, 400]),
    storeMs: random.pick([0, 0, 5, 100]),
    submissions: Array.from({ length: burst?.length ?? count }, (_, index) => ({
      ...drawSubmission(random, `fee-${index}`, faultsEndMs, poison),
      ...burst?.[index]
    }))
  }
}
