import { createMetrics } from '../../services/metrics/index.ts'
import type { StateSources } from '../../services/metrics/state.ts'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import { temporaryFolder } from '../helpers/app.ts'
import { advanceClock } from '../helpers/clock.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { leadingStore } from '../helpers/leading-store.ts'
import { samples } from '../helpers/metrics.ts'
import { block, consumed, REFUSAL, request, signed, WALLET_STATE } from '../helpers/store-data.ts'
import { test } from '../helpers/tap.ts'

const NOW = 100_000
const NODE = { host: 'a', reading: true, sending: false, earliestHeight: 1, blockIntervalMs: 1000 }
const fails = async () => {
  throw new Error('unreadable')
}

const SOURCES: StateSources = {
  readiness: async () => {
    const [well, ill] = [{ ok: true }, { ok: false }]
    return { ready: false, checks: { store: well, rpc: ill, chainApi: well, signer: well, engine: well } }
  },
  submissions: {
    health: () => ({
      blockers: [{ kind: 'looking-back', reason: '', since: '' }],
      height: 7,
      newestHeight: 9,
      loops: [
        { name: 'packer', failingMs: undefined },
        { name: 'follower', failingMs: 3000 }
      ],
      leaderSilentMs: 2000,
      unsettled: 8,
      openSlots: 1,
      withoutTxId: 5
    })
  },
  chainClient: {
    health: () => [
      { ...NODE, host: 'b', sending: true, height: undefined, blockAgeMs: undefined },
      { ...NODE, height: 8, blockAgeMs: 4000 }
    ]
  },
  store: {
    oldestUnsettled: async () => NOW - 6000,
    feesPaidToday: async () => 11n,
    now: () => NOW,
    outbox: {
      backlog: async () => ({ pending: 2, oldestPendingAt: NOW - 9000, abandoned: 3 })
    }
  },
  funds: {
    denom: 'uSERVICE',
    balance: { read: async () => 12n, isLow: true },
    dailyFeeLimit: 14n
  }
}

const metrics = createMetrics(keepingLog().log)

async function stateOf(sources: StateSources) {
  metrics.showState(sources)
  // A response can be up to a second old.
  advanceClock(1)
  const all = samples(await metrics.text())
  return (names: object) =>
    Object.fromEntries(Object.keys(names).map(name => [name, all.get(`service_${name}`)]))
}

/** Without `service_`. */
const STATE = {
  ready: 0,
  'check_passed{check="rpc"}': 0,
  'check_passed{check="signer"}': 1,
  'blocker_present{kind="looking-back"}': 1,
  'blocker_present{kind="wallet-unknown"}': 0,
  leading: 1,
  submissions_unsettled: 8,
  submissions_without_transaction_id: 5,
  engine_block_height: 7,
  'node_usable{node="a",use="reading"}': 1,
  'node_usable{node="a",use="sending"}': 0,
  'node_usable{node="b",use="sending"}': 1,
  'node_block_height{node="b"}': undefined,
  'node_block_height{node="a"}': 8
}
const STORED = {
  submissions_oldest_age_seconds: 6,
  webhook_events_pending: 2,
  webhook_events_oldest_age_seconds: 9,
  webhook_events_abandoned: 3
}
const AMOUNTS = {
  'fees_paid_today{denom="uSERVICE"}': 11,
  'wallet_balance{denom="uSERVICE"}': 12
}
const LIMITS = {
  wallet_balance_low: 1,
  'daily_fee_limit{denom="uSERVICE"}': 14
}

test('the gauges have the state of the service, with times in seconds; what is unreadable is NaN or missing', async t => {
  const all = { ...STATE, ...STORED, ...AMOUNTS, ...LIMITS }
  t.strictSame((await stateOf(SOURCES))(all), all)

  const store = { now: () => NOW, oldestUnsettled: fails, feesPaidToday: fails, outbox: { backlog: fails } }
  const funds = { ...SOURCES.funds, balance: { read: fails, isLow: true } }
  const unreadable = await stateOf({ ...SOURCES, store, funds })
  const others = { ...STATE, ...LIMITS }
  t.strictSame(unreadable(others), others)
  t.ok(Object.values(unreadable(STORED)).every(Number.isNaN))
  t.ok(Object.values(unreadable(AMOUNTS)).every(value => value === undefined))

  const empty = { ...funds.balance, read: async () => 0n }
  const none = { 'wallet_balance{denom="uSERVICE"}': 0 }
  t.strictSame((await stateOf({ ...SOURCES, funds: { ...funds, balance: empty } }))(none), none)

  const health = () => ({ ...SOURCES.submissions.health(), openSlots: undefined })
  const silent = { ...funds.balance, read: () => new Promise<never>(() => {}) }
  const states = { submissions: { health }, funds: { ...SOURCES.funds, balance: silent } }
  const standby = await stateOf({ ...SOURCES, ...states })
  const changed = {
    leading: 0,
    'wallet_balance{denom="uSERVICE"}': undefined
  }
  t.strictSame(standby(changed), changed)
})

test('the store counts what it has done', async t => {
  const metrics = createMetrics(keepingLog().log)
  let time = 1000
  const store = await leadingStore(metrics.store(createSqliteStore(temporaryFolder(t), () => time)))
  t.teardown(() => store.close())
  await store.putWalletState(WALLET_STATE)
  await store.take([{ ...request('a'), caller: 'shop' }, request('b'), request('c')])
  time = 3000
  const submissionIds = ['id-a', 'id-c']
  await store.openSlot(signed(7, submissionIds))
  await store.reject('id-b', REFUSAL)
  const rejected = { status: 'rejected', error: REFUSAL } as const
  const outcomes = submissionIds.map(submissionId => ({ ...rejected, submissionId }))
  await store.applyBlock(block(101, consumed(7, outcomes), consumed(8, [], 'foreign')))
  const all = samples(await metrics.text())
  for (const [name, count] of Object.entries({
    'submissions_taken_total{outcome="created",caller="shop"}': 1,
    'submissions_taken_total{outcome="created",caller=""}': 2,
    foreign_transactions_total: 1,
    'submission_duration_seconds_count{status="committed"}': 0,
    'submission_duration_seconds_count{status="rejected"}': 3,
    'submission_duration_seconds_sum{status="rejected"}': 6
  }))
    t.equal(all.get(`service_${name}`), count, name)
})
