import { test } from '../../helpers/tap.ts'
import { NECESSARY_RULES } from '../faults/broken-rules.ts'
import { drawPlan } from '../plan.ts'
import { simulate } from '../simulate.ts'

/** In so many seeds a fault occurs often enough. */
const SEEDS = 5000

for (const [mistake, { broken, from, fault }] of Object.entries(NECESSARY_RULES)) {
  test(`a service that ${mistake} is detected`, async t => {
    let failures: string[] = []
    for (let seed = from; seed < from + SEEDS && failures.length === 0; seed++) {
      if (fault && !drawPlan(seed).faults.has(fault)) continue
      failures = (await simulate(seed, { broken })).failures
    }
    t.not(failures.length, 0)
  })
}
