import { test } from '../helpers/tap.ts'
import { FAILED_SCHEDULES } from './failed-schedules.ts'
import { FAULTS } from './plan.ts'
import { simulateMany } from './simulate-many.ts'

/** Number of seeds, enough to find most bugs in the engine. `.ci/run` runs more. */
const SCHEDULES = 100

test('each submission is either executed exactly once or rejected under random faults', async t => {
  const failures: string[] = []
  const plan = { from: 0, count: SCHEDULES, only: FAULTS }
  const { schedules } = await simulateMany(plan, failure => failures.push(failure))
  t.strictSame(failures, [])
  t.equal(schedules, SCHEDULES + FAILED_SCHEDULES.length, 'plays those that once failed, too')
})
