import { test } from 'tap'
import { BROKEN_STORES } from './faults/broken-stores.ts'
import { runSchedules } from './run-schedules.ts'
import { simulate } from './simulate.ts'

/** Enough for most errors of the engine; the long suite plays more. */
const SCHEDULES = 1500

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

for (const [fault, { alterStore, from }] of Object.entries(BROKEN_STORES)) {
  test(`a store that ${fault} is detected`, async t => {
    let failures: string[] = []
    for (let seed = from; seed < from + 1000 && failures.length === 0; seed++) {
      failures = (await simulate(seed, { alterStore })).failures
    }
    t.not(failures.length, 0)
  })
}
