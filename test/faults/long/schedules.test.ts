import { test } from '../../helpers/tap.ts'
import { runSchedules } from '../../simulation/run-schedules.ts'

/** The same in every run, which must not depend on luck: `npm run simulate -- --from N` plays others. */
const FIXED = 10_000
const FOUND = [
  /** The store fails between the first write of the account and the reads after it. */
  801_852_441,
  /** A fee that was rounded up for little gas is paid in proportion for much gas. */
  413_798_296,
  /** The mempool of a frozen node has a transaction of the wallet, and the other node simulates slowly. */
  20_326
]

test('each submission is executed once or refused, whatever fails on the way', async t => {
  for (const [from, count] of [[0, FIXED], ...FOUND.map(seed => [seed, 1] as const)] as const) {
    const { report, exitCode } = await runSchedules(from, count)
    t.comment(`seeds from ${from} on: ${report.trim().split('\n').at(-1)}`)
    t.equal(exitCode, 0, report)
  }
})
