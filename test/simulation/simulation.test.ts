import { test } from '../helpers/tap.ts'
import { FAULTS } from './faults/names.ts'
import { simulate } from './simulate.ts'
import { simulateMany } from './simulate-many.ts'

/** Number of seeds, enough to find most bugs in the engine. `npm run test:long` runs more. */
const SCHEDULES = 100

test('each submission is either executed exactly once or rejected under random faults', async t => {
  const failures: string[] = []
  await simulateMany({ from: 0, count: SCHEDULES, only: FAULTS }, failure => failures.push(failure))
  t.strictSame(failures, [])
})

test('the same seed always produces the same trace', async t => {
  for (let seed = 1; seed <= 10; seed++) {
    const [first, second]: [string[], string[]] = [[], []]
    await simulate(seed, { write: line => first.push(line) })
    await simulate(seed, { write: line => second.push(line) })
    t.strictSame(first, second, `seed ${seed}`)
  }
})
