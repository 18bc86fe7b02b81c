import type { NecessaryRule } from './faults/broken-rules.ts'
import { drawPlan } from './plan.ts'
import { simulate } from './simulate.ts'

/** In so many seeds a fault occurs often enough. */
const SEEDS = 5000

/**
 * Plays a service that breaks a rule until the oracle objects.
 * @returns the seed and the objections; none after the last seed
 */
export async function catchingSeed({ broken, from, fault }: NecessaryRule) {
  for (let seed = from; seed < from + SEEDS; seed++) {
    if (fault && !drawPlan(seed).faults.has(fault)) continue
    const { failures } = await simulate(seed, { broken })
    if (failures.length > 0) return { seed, failures }
  }
  return { seed: from + SEEDS, failures: [] }
}
