import { type Clock, systemClock } from '../../../services/clock.ts'
import type { EngineStore } from '../../../services/submission/store/engine-writes.ts'
import { openPostgresStore } from '../../../services/submission/store/postgres/index.ts'
import type { SubmissionStore } from '../../../services/submission/store/types.ts'
import { startNetwork } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { addressOf, startPostgres } from '../../helpers/postgres/index.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

/** A clock on which timers of a second or more never fire during the test, so that nothing is detected by polling. */
const withoutLooking: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms < 1000 ? ms : 1_000_000, action)
}

async function startTwo(t: Test) {
  const network = await startNetwork(t)
  const address = addressOf(await (await startPostgres(t)).createDatabase())
  const { log } = keepingLog()
  const open = (owner: string) => openPostgresStore({ address, owner, log })
  const leader = await startEngine(t, network, { open, clock: withoutLooking })
  await until(() => leader.engine.health().loops.length === 3, 'the first replica leads')
  const other = await startEngine(t, network, { open, clock: withoutLooking })
  return { leader, other }
}

test('a replica that starts before the account is stored accepts submissions once the account is stored', async t => {
  const network = await startNetwork(t)
  const address = addressOf(await (await startPostgres(t)).createDatabase())
  const { log } = keepingLog()
  let leads = false
  let storeAccount = () => {}
  const mayStore = new Promise<void>(resolve => {
    storeAccount = resolve
  })

  async function openLeader(owner: string): Promise<SubmissionStore> {
    const store = await openPostgresStore({ address, owner, log })
    return {
      ...store,
      async lead() {
        const term = await store.lead()
        if (!term) return undefined
        leads = true
        const putWalletState: EngineStore['putWalletState'] = state =>
          mayStore.then(() => term.store.putWalletState(state))
        return { ...term, store: { ...term.store, putWalletState } }
      }
    }
  }

  const leader = startEngine(t, network, { open: openLeader, clock: withoutLooking })
  const open = (owner: string) => openPostgresStore({ address, owner, log })
  await until(() => leads, 'a term has begun')
  const other = await startEngine(t, network, { open, clock: withoutLooking })
  await t.rejects(other.submit('fee-early'), { code: 'WALLET_UNKNOWN' })
  t.equal(other.engine.health().height, undefined, 'the replica has no wallet state yet')
  storeAccount()
  await until(() => other.engine.health().height !== undefined, 'the replica has read the account')
  t.match(await other.submit('fee-early'), { status: 'queued' })
  await leader
})

test('replicas learn of queued submissions and results from database notifications alone', async t => {
  const { leader, other } = await startTwo(t)
  for (let transfer = 0; transfer < 10; transfer += 1) {
    const { submissionId } = await other.submit(`fee-${transfer}`)
    const [here, there] = await Promise.all([
      leader.engine.settled(submissionId, 1_000_000),
      other.engine.settled(submissionId, 1_000_000)
    ])
    t.equal(there.status, 'committed')
    t.strictSame(there, here)
  }
})

test('another replica takes over without polling when the leader stops', async t => {
  const { leader, other } = await startTwo(t)
  await leader.engine.stop()
  await until(() => other.engine.health().loops.length === 3, 'the second replica leads')
  const { submissionId } = await leader.submit('fee')
  t.match(await other.engine.settled(submissionId, 1_000_000), { status: 'committed' })
})
