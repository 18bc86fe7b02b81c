import type { Fault } from './faults/names.ts'
import { verdict } from './oracle/verdict.ts'
import { drawPlan } from './plan.ts'
import type { BrokenRule } from './service/replica.ts'
import { createMemoryDatabase } from './store/memory-database.ts'
import { createVirtualClock } from './time/virtual-clock.ts'
import { createNaming, createTrace } from './trace.ts'
import { createWorld } from './world.ts'

/** Maximum time from the last fault until everything is settled, plus an allowance per submission. */
const PATIENCE_MS = 120_000
const PATIENCE_PER_SUBMISSION_MS = 6000

/** How long a refusal waits in vain for a second node. */
const PATIENCE_WITHOUT_SECOND_NODE_MS = 1_200_000

const BLOCKS_AFTERWARDS = 3

const MOST_FAILURES = 10

export type Outcome = Awaited<ReturnType<typeof simulate>>

export interface SimulationOptions {
  /** The faults to choose from. Leaving out a fault does not change the rest of the plan. */
  only?: readonly Fault[]
  write?: (line: string) => void
  broken?: BrokenRule
}

/**
 * Runs one schedule: the real engine on a model chain, with the seed's faults. Then checks the final state.
 * @returns descriptions of everything that went wrong, and activity counters
 */
export async function simulate(seed: number, options: SimulationOptions = {}) {
  const { only, write, broken } = options
  const plan = drawPlan(seed, only)
  const clock = createVirtualClock()
  const naming = createNaming()
  const trace = createTrace({ write, elapsed: clock.elapsed, naming })
  const failures: string[] = []

  function fail(reason: string): void {
    trace(() => `FAILURE: ${reason}`)
    if (failures.length < MOST_FAILURES) failures.push(naming(reason))
  }

  trace(() => `plan: seed ${seed}, faults: ${[...plan.faults].join(', ') || 'none'}`)
  const database = createMemoryDatabase(clock.now)
  const world = createWorld({ plan, clock, trace, fail, database, broken })
  const { ledger, disk, host, submitters } = world
  const isAlone = plan.faults.has('node-frozen') || plan.faults.has('node-elsewhere')
  const patienceMs =
    PATIENCE_MS +
    plan.submissions.length * PATIENCE_PER_SUBMISSION_MS +
    (isAlone ? PATIENCE_WITHOUT_SECOND_NODE_MS : 0)
  const firstHeight = ledger.height
  let isHealed = false
  clock.after(plan.faultsEndMs + 1, () => {
    trace(() => 'plan: no more faults')
    world.dice.rest()
    isHealed = true
  })

  function isQuiet(): boolean {
    if (submitters.busy > 0 || disk.walletState?.cursorHeight !== ledger.height) return false
    for (const { submission } of disk.submissions.values()) {
      if (submission.status === 'queued' || submission.status === 'broadcast') return false
    }
    return true
  }

  const untilQuietFrom = (height: number) =>
    clock.run(
      () =>
        failures.length > 0 ||
        (ledger.height >= height && isQuiet()) ||
        clock.elapsed() > plan.faultsEndMs + patienceMs
    )

  await clock.run(() => failures.length > 0 || isHealed)
  await untilQuietFrom(ledger.height)
  await untilQuietFrom(ledger.height + BLOCKS_AFTERWARDS)
  await disk.look()
  if (failures.length === 0) {
    if (submitters.busy > 0) fail(`${submitters.busy} clients never finished`)
    if (!isQuiet()) fail(`not everything is settled ${patienceMs / 1000} s after the last fault`)
    // The costs of submissions that the store lost are unknown.
    const isSetBack = plan.faults.has('store-set-back')
    for (const fault of [...verdict(world), ...(isSetBack ? [] : world.costs.verdict())]) fail(fault)
  }
  database.close()
  const blocks = ledger.height - firstHeight
  return {
    seed,
    faults: [...plan.faults],
    failures,
    submissions: disk.submissions.size,
    starts: host.starts,
    blocks
  }
}
