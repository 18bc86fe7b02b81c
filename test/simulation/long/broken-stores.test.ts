import { test } from '../../helpers/tap.ts'
import { BROKEN_STORES } from '../faults/broken-stores.ts'
import { drawPlan } from '../plan.ts'
import { simulate } from '../simulate.ts'

/** In so many seeds a fault occurs often enough. */
const SEEDS = 5000

for (const [rule, { alterStore, from, fault }] of Object.entries(BROKEN_STORES)) {
  test(`a store that ${rule} is detected`, async t => {
    let failures: string[] = []
    for (let seed = from; seed < from + SEEDS && failures.length === 0; seed++) {
      if (fault && !drawPlan(seed).faults.has(fault)) continue
      failures = (await simulate(seed, { alterStore })).failures
    }
    t.not(failures.length, 0)
  })
}
