import type { NecessaryRule } from './faults/broken-rules.ts'
import { drawPlan } from './plan.ts'
import { simulate } from './simulate.ts'

/** Enough seeds for each fault to occur often. */
const SEEDS = 5000

/**
 * Simulates a service that breaks a rule, one seed after another, until the oracle reports failures.
 * @returns the failing seed and its failures; if all seeds pass, the next seed and no failures
 */
export async function catchingSeed({ broken, from, fault }: NecessaryRule) {
  for (let seed = from; seed < from + SEEDS; seed++) {
    if (fault && !drawPlan(seed).faults.has(fault)) continue
    const { failures } = await simulate(seed, { broken })
    if (failures.length > 0) return { seed, failures }
  }
  return { seed: from + SEEDS, failures: [] }
}
