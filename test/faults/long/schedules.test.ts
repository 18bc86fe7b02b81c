import { addressOf, startPostgres } from '../../helpers/postgres/index.ts'
import { test } from '../../helpers/tap.ts'
import { FAULTS } from '../../simulation/faults/names.ts'
import { drawPlan } from '../../simulation/plan.ts'
import { simulate } from '../../simulation/simulate.ts'
import { simulateMany } from '../../simulation/simulate-many.ts'
import { createPostgresDatabase } from '../../simulation/store/postgres-database.ts'

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

/** Number of schedules with several replicas to run on PostgreSQL. */
const ON_POSTGRES = 30

test('each submission is either executed exactly once or rejected under random faults on PostgreSQL', async t => {
  const server = await startPostgres(t)
  const only = FAULTS.filter(fault => fault !== 'store-set-back')
  const openDatabase = async (now: () => number) =>
    createPostgresDatabase(addressOf(await server.createDatabase()), now)
  for (let seed = 0, played = 0; played < ON_POSTGRES; seed++) {
    if (drawPlan(seed).replicas === 1) continue
    played += 1
    const { failures } = await simulate(seed, { only, openDatabase })
    t.strictSame(failures, [], `seed ${seed}`)
  }
})
