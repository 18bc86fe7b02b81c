import { test } from '../helpers/tap.ts'
import { runSchedules } from './run-schedules.ts'
import { simulate } from './simulate.ts'

/** Enough to find most errors of the engine; `npm run test:long` runs more. */
const SCHEDULES = 100

test('each submission is executed once or refused, whatever fails on the way', async t => {
  const { report, exitCode } = await runSchedules(0, SCHEDULES)
  t.equal(exitCode, 0, report)
})

test('a seed gives the same trace each time', async t => {
  for (let seed = 1; seed <= 20; seed++) {
    const [first, second]: [string[], string[]] = [[], []]
    await simulate(seed, { write: line => first.push(line) })
    await simulate(seed, { write: line => second.push(line) })
    t.strictSame(first, second, `seed ${seed}`)
  }
})
