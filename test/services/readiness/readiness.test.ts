import type { NodeHealth } from '../../../services/chain-client/index.ts'
import { createReadiness } from '../../../services/readiness/index.ts'
import { BLOCKER_KINDS, type BlockerKind, type EngineHealth } from '../../../services/submission/contract.ts'
import { BLOCKERS } from '../../../services/submission/decide/blockers.ts'
import { takeTime } from '../../helpers/clock.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'

const block = { height: 8, blockAgeMs: 2000, blockIntervalMs: 1000 }
const NODE: NodeHealth = { host: 'node.example', ...block, earliestHeight: 1, reading: true, sending: true }

/** The store's clock, which is not this server's. */
const storeNow = () => Date.now() - 3_600_000

type Options = Parameters<typeof createReadiness>[0]
type Changes = Partial<Omit<Options, 'chainClient' | 'submissions'>> & {
  nodes?: NodeHealth[]
  health?: Partial<EngineHealth>
}

/** Creates a check of the readiness where everything is healthy, except for `changes`. */
const checkWith = ({ nodes = [NODE], health, ...changes }: Changes, oldestMs = 0) =>
  createReadiness({
    store: { oldestUnsettled: async () => storeNow() - oldestMs, now: storeNow },
    chainClient: { health: () => nodes },
    chainApi: { get: async () => undefined },
    submissions: {
      health: () => ({
        blockers: [],
        height: 7,
        newestHeight: 8,
        leaderSilentMs: 0,
        unsettled: 2,
        openSlots: undefined,
        withoutTxId: 0,
        verification: undefined,
        ...health
      })
    },
    isEmpty: () => false,
    isIntakeClosed: false,
    isShadow: false,
    isStopping: () => false,
    log: keepingLog().log,
    ...changes
  })

const WELL = {
  store: { ok: true },
  rpc: { ok: true, detail: 'height 8, 2 s old, 1 of 1 nodes healthy' },
  chainApi: { ok: true },
  signer: { ok: true },
  engine: { ok: true, detail: 'height 7, 2 unsettled' }
}

const RESTING: NodeHealth = { ...NODE, reading: false, sending: false, fault: 'details from an upstream' }
const aged = (blockAgeMs: number, blockIntervalMs = 1000) => ({ ...NODE, blockAgeMs, blockIntervalMs })
const NODES: [nodes: NodeHealth[], ok: boolean, detail: string][] = [
  [[NODE, RESTING], true, 'height 8, 2 s old, 1 of 2 nodes healthy'],
  [[RESTING, RESTING], false, '0 of 2 nodes healthy'],
  [[{ ...NODE, sending: false }], true, 'height 8, 2 s old, 0 of 1 nodes healthy'],
  [[{ ...NODE, height: undefined, blockAgeMs: undefined }], false, '1 of 1 nodes healthy'],
  [[aged(31_000)], false, 'height 8, 31 s old, 1 of 1 nodes healthy'],
  [[aged(31_000), { ...NODE, height: 9 }], true, 'height 9, 2 s old, 2 of 2 nodes healthy'],
  [[aged(55_000, 6000)], true, 'height 8, 55 s old, 1 of 1 nodes healthy'],
  [[aged(61_000, 6000)], false, 'height 8, 61 s old, 1 of 1 nodes healthy'],
  [[aged(301_000, 3_600_000)], false, 'height 8, 301 s old, 1 of 1 nodes healthy']
]
test('the rpc check passes while a node is readable and the chain makes blocks', async t => {
  for (const [nodes, ok, detail] of NODES) {
    const { action, ...rpc } = (await checkWith({ nodes })()).checks.rpc
    t.strictSame([rpc, action === undefined], [{ ok, detail }, ok], detail)
  }
})

test('logs a check that keeps failing once a minute', async t => {
  const time = takeTime(t)
  const { log, entries } = keepingLog()
  const store = { now: storeNow, oldestUnsettled: () => Promise.reject(new Error('the disk is gone')) }
  const read = checkWith({ store, log })
  for (let reads = 0; reads < 3; reads++, time.elapsed += 2000)
    t.match((await read()).checks.store, { ok: false, detail: 'unavailable' })
  t.match(entries, [{ level: 'warn', fields: { check: 'store', failures: 1, err: { message: /disk/ } } }])
})

const MINUTE_MS = 60_000
const VERIFICATION = { height: 4, proven: 57, pruned: 3, differing: [{ height: 2, count: 2 }] }
const PROVEN = 'height 7, 2 unsettled, 57 proven up to block 4, 2 differences, 3 blocks not compared'
const ENGINES: [changes: Changes, oldestMs: number, ok: boolean, detail: string][] = [
  [{ health: { height: 7, newestHeight: 17 } }, 4 * MINUTE_MS, true, 'height 7, 2 unsettled'],
  [{ health: { withoutTxId: 3 } }, 0, true, 'height 7, 2 unsettled, 3 committed without a transaction id'],
  [{ health: { verification: VERIFICATION } }, 0, true, PROVEN],
  [{ health: { height: 7, newestHeight: 18 } }, 0, false, 'catching up: block 7 of 18'],
  [{ health: { height: 18, newestHeight: 7 } }, 0, false, 'nodes at block 7, store at 18'],
  [{ health: { leaderSilentMs: 20_001 } }, 0, false, 'no process leads'],
  [{}, 5 * MINUTE_MS + 1000, false, 'a submission has been unsettled for 5 minutes'],
  [{ isIntakeClosed: true }, 0, false, 'intake closed, 2 unsettled'],
  [{ isIntakeClosed: true, health: { height: undefined } }, 0, false, 'starting'],
  [{ isShadow: true }, 0, false, 'shadow'],
  [{ isIntakeClosed: true, isStopping: () => true }, 0, false, 'stopping']
]
test('the engine check passes while it keeps up, settles and accepts submissions', async t => {
  for (const [changes, oldestMs, ok, detail] of ENGINES) {
    const { action, ...engine } = (await checkWith(changes, oldestMs)()).checks.engine
    t.strictSame([engine, action === undefined], [{ ok, detail }, ok], detail)
  }
})

const blocker = (kind: BlockerKind) => ({ kind, reason: 'details from the chain', since: '' })
test('each blocker fails its check with an action; a notice only adds a detail', async t => {
  for (const kind of BLOCKER_KINDS) {
    const { check, action } = BLOCKERS[kind]
    const notice = { engine: { ok: true, detail: `height 7, 2 unsettled, ${kind}`, action } }
    const failure = check && { [check]: { ok: false, detail: kind, action } }
    const checks = { ...WELL, ...(failure ?? notice) }
    t.strictSame(await checkWith({ health: { blockers: [blocker(kind)] } })(), { ready: !check, checks })
  }
  const empty = await checkWith({ isEmpty: () => true })()
  t.match(empty.checks.signer, { ok: false, detail: 'insufficient-funds' }, 'before the first submission')
  const kinds = ['wallet-shared', 'fee-too-high', 'nodes-disagree', 'signer-unavailable'] as const
  const { signer, engine } = (await checkWith({ health: { blockers: kinds.map(blocker) } })()).checks
  t.strictSame([signer.detail, engine.detail], ['fee-too-high', 'nodes-disagree'], 'the first of each')
})
