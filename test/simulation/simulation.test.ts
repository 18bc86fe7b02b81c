import { test } from '../helpers/tap.ts'
import { FAULTS } from './plan.ts'
import { simulateMany } from './simulate-many.ts'

/** Number of seeds, enough to find most bugs in the engine. `.ci/run` runs more. */
const SCHEDULES = 100

test('each submission is either executed exactly once or rejected under random faults', async t => {
  const failures: string[] = []
  await simulateMany({ from: 0, count: SCHEDULES, only: FAULTS }, failure => failures.push(failure))
  t.strictSame(failures, [])
})
