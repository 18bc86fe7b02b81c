import { test } from '../../helpers/tap.ts'
import { FAULTS } from '../../simulation/faults/names.ts'
import { simulate } from '../../simulation/simulate.ts'
import { simulateMany } from '../../simulation/simulate-many.ts'

/** Number of seeds, starting with 0, that every run simulates. `npm run simulate -- --from N` runs other seeds. */
const FIXED = 5_000
const FOUND = [
  /** The store fails between the first write of the account and the reads after it. */
  801_852_441,
  /** A fee rounded up for a small gas limit is scaled up to a large gas limit. */
  413_798_296,
  /** A frozen node's mempool contains a transaction from the wallet, and the other node simulates slowly. */
  20_326
]

test('each submission is either executed exactly once or rejected under random faults', async t => {
  const failures: string[] = []
  const totals = await simulateMany({ from: 0, count: FIXED, only: FAULTS }, line => failures.push(line))
  t.comment(JSON.stringify(totals))
  t.strictSame(failures, [])
  for (const seed of FOUND) t.strictSame((await simulate(seed)).failures, [], `seed ${seed}`)
})
