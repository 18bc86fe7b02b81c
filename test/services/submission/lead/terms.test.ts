import {
  type ChainClient,
  HistoryPrunedError,
  NodeUnavailableError
} from '../../../../services/chain-client/index.ts'
import type { EngineStore, SubmissionStore } from '../../../../services/submission/contract.ts'
import { createSubmissionEngine } from '../../../../services/submission/engine.ts'
import { StoreUncertainError } from '../../../../services/submission/errors.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { fastClock, takeTime } from '../../../helpers/clock.ts'
import { keepingLog, type LogEntry } from '../../../helpers/keeping-log.ts'
import { REFUSAL, request } from '../../../helpers/store-data.ts'
import { type Test, test } from '../../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../../helpers/until.ts'
import { createMemoryDatabase } from '../../../simulation/store/memory-database.ts'
import { CANARY, engineContext, failed, passed } from '../engine-context.ts'

/** How long a test waits for a result, on the accelerated clock below. */
const PATIENCE = 100 * PATIENCE_MS

/** Sets up replicas that share one store, on a chain of 100 blocks that refuses every message. */
async function replicas(t: Test, { isNew = false } = {}) {
  const context = await engineContext()
  const { script } = context
  const database = isNew ? createMemoryDatabase() : context.database
  const { chain, wallet, settings, identify } = context.engine
  script.block = height => (height <= script.height ? chainBlock(height) : undefined)
  script.simulate = (messages, _isControl, isCanary) => {
    if (isCanary && messages === 1) return passed(100_000)
    const index = isCanary ? 1 : 0
    return failed(`failed to execute message; message index: ${index}: no such token: invalid request`, 18)
  }

  async function start(alter = (store: SubmissionStore) => store, nodes: Partial<ChainClient> = {}) {
    const store = database.open()
    const { log, entries } = keepingLog()
    const tools = { wallet, settings, identify, canary: CANARY, log, clock: fastClock(100) }
    const engine = createSubmissionEngine({ ...tools, chain: { ...chain, ...nodes }, store: alter(store) })
    await engine.start()
    t.teardown(() => engine.stop())
    const submit = (feeId: string) => engine.submit(request(feeId))
    return {
      engine,
      entries,
      /** Returns the number of terms that the replica has begun. */
      terms: () => entries.filter(({ message }) => message === 'engine ready').length,
      loseLock: store.loseLock,
      submit,
      settle: async (feeId: string) => engine.settled((await submit(feeId)).submissionId, PATIENCE)
    }
  }

  return { start, database, store: context.store, reject: context.engine.store.reject, script }
}

const troubles = (entries: LogEntry[]) =>
  entries.filter(({ level }) => level === 'warn' || level === 'error').map(({ message }) => message)

test('lets one replica lead while the others still serve clients, and report the leader’s health until they lead', async t => {
  const { start } = await replicas(t)
  const silent = (store: SubmissionStore): SubmissionStore => ({
    ...store,
    async report() {
      const report = await store.report()
      return report && { ...report, ageMs: 30_000, withoutTxId: 3 }
    }
  })
  const [leader, other] = [await start(), await start(silent)]
  const { submissionId, status } = await other.settle('fee-1')
  t.equal(status, 'rejected')
  t.match(await leader.engine.find(submissionId), { status: 'rejected' })
  t.equal(leader.terms(), 1)
  t.equal(other.terms(), 0)
  const loops = () => other.engine.health().loops.map(({ name }) => name)
  await until(() => loops().includes('packer'), 'the leader’s workers are reported')
  const health = { height: 100, blockers: [], leaderSilentMs: 30_000, withoutTxId: 3, inFlight: undefined }
  t.match(other.engine.health(), health)
  t.strictSame(loops(), ['election', 'follower', 'packer', 'broadcaster'])
  await until(() => other.engine.health().unsettled === 0, 'the backlog is counted')
  await leader.engine.stop()
  await until(() => loops().includes('packer') && other.terms() === 1, 'the other replica leads')
  t.match(other.engine.health(), { leaderSilentMs: 0, withoutTxId: 0, loops: { length: 3 } })
})

test('picks up results and queued submissions by polling if no notifications arrive', async t => {
  const { start } = await replicas(t)
  const deaf = (store: SubmissionStore) => ({ ...store, onNotification() {} })
  const [leader, other] = [await start(deaf), await start(deaf)]
  for (const replica of [other, leader]) {
    t.match(await replica.settle(`fee-${replica === leader}`), { status: 'rejected' })
  }
})

test('frees a client’s share of the backlog after a notification that does not list the settled submissions', async t => {
  const { start, reject } = await replicas(t)
  const { engine } = await start(store => ({
    ...store,
    lead: async () => undefined,
    onNotification: hear => store.onNotification(({ kind }) => kind === 'settled' && hear({ kind }))
  }))
  const submit = (name: string) =>
    engine.submit(request(name), { networks: ['192.0.2.1'], requestId: 'a request' })
  const [first] = await Promise.all(Array.from({ length: 5000 }, (_, number) => submit(`fee-${number}`)))
  await t.rejects(submit('fee-5000'), { code: 'BACKLOG_SHARE' })
  await reject(first?.submissionId ?? '', REFUSAL)
  await until(() => submit('fee-5000').catch(() => undefined), 'the settled submission frees its place')
})

test('closes intake at every replica while the leader has a blocker', async t => {
  const { start, script } = await replicas(t)
  const [leader, other] = [await start(), await start()]
  const passes = script.simulate
  script.simulate = () => failed('the creator is not whitelisted: unauthorized', 4)
  const { submissionId } = await other.submit('fee-1')
  await until(() => other.engine.health().blockers.length > 0, 'the other replica reports the blocker')
  t.strictSame(other.engine.health().blockers, leader.engine.health().blockers)
  await t.rejects(other.submit('fee-2'), { code: 'WALLET_NOT_WHITELISTED' })
  script.simulate = passes
  t.match(await other.engine.settled(submissionId, PATIENCE), { status: 'rejected' })
  await until(() => other.engine.health().blockers.length === 0, 'the blocker is cleared')
  t.match(await other.settle('fee-2'), { status: 'rejected' })
})

test('ends a leader’s term at its next write after it loses its lock, and logs the loss once', async t => {
  const { start, store, script } = await replicas(t)
  const [leader, other] = [await start(), await start()]
  await until(() => leader.engine.health().loops.length === 3, 'the leader works')
  await leader.loseLock()
  await until(() => other.terms() === 1, 'the other replica leads')
  script.height = 101
  await until(async () => (await store.walletState())?.cursorHeight === 101, 'the next block is read')
  const losses = () => leader.entries.filter(({ message }) => /no longer leads/.test(message)).length
  await until(losses, 'the loss is reported')
  t.match(await leader.settle('fee-1'), { status: 'rejected' })
  t.strictSame(troubles([...leader.entries, ...other.entries]), [])
  t.equal(losses(), 1)
  t.equal(leader.terms(), 1)
})

test('begins a new term after a write whose outcome is unknown', async t => {
  const { start, store, script } = await replicas(t)
  let losses = 1
  const losing = (store: SubmissionStore): SubmissionStore => ({
    ...store,
    async lead() {
      const term = await store.lead()
      if (!term) return undefined
      const applyBlock: EngineStore['applyBlock'] = async block => {
        const settled = await term.store.applyBlock(block)
        losses -= 1
        if (losses === 0) throw new StoreUncertainError('the connection was lost')
        return settled
      }
      return { ...term, store: { ...term.store, applyBlock } }
    }
  })
  const replica = await start(losing)
  script.height = 101
  await until(() => replica.terms() === 2, 'a second term has begun')
  script.height = 102
  await until(async () => (await store.walletState())?.cursorHeight === 102, 'the next block is read')
  t.equal(replica.terms(), 2)
  t.strictSame(troubles(replica.entries), [])
})

test('does not lead if stopped while standing for election', async t => {
  const { start, database } = await replicas(t)
  const [leader, other] = [await start(), await start()]
  await Promise.all([leader.engine.stop(), other.engine.stop()])
  t.notOk(database.isLed)
})

test('ends a term that begins while the engine is stopping', async t => {
  const { start, database } = await replicas(t)
  const leader = await start()
  let elect = () => {}
  let isElected = false
  const other = await start(store => ({
    ...store,
    async lead() {
      const term = await store.lead()
      if (!term) return undefined
      isElected = true
      await new Promise<void>(resolve => (elect = resolve))
      return term
    }
  }))
  await leader.engine.stop()
  await until(() => isElected, 'the other replica is elected')
  const stopped = other.engine.stop()
  elect()
  await stopped
  t.notOk(database.isLed)
})

const unreachableBlock: ChainClient['block'] = async () => {
  throw new NodeUnavailableError('node.example', 'no response')
}

test('keeps leading while blocks are unreadable if no other process uses the store', async t => {
  const { start, database } = await replicas(t)
  const clock = fastClock(100)
  let asked = 0
  const alone = (store: SubmissionStore): SubmissionStore => ({
    ...store,
    async lead() {
      const term = await store.lead()
      return term && { ...term, isAlone: true as const }
    }
  })
  await start(alone, {
    block(height) {
      asked += 1
      return unreachableBlock(height)
    }
  })
  const limit = clock.elapsed() + 16_000
  await until(() => clock.elapsed() > limit, 'blocks are unreadable longer than several replicas allow')
  const before = asked
  await until(() => asked > before + 2, 'the replica requests a block')
  t.ok(database.isLed)
})

test('keeps leading if a single request for a block fails, however long after the term began', async t => {
  const time = takeTime(t)
  const { start } = await replicas(t)
  let asked = 0
  let fails = false
  const leader = await start(store => store, {
    async block(height) {
      asked += 1
      if (fails) {
        fails = false
        return unreachableBlock(height)
      }
      return undefined
    }
  })
  async function reads() {
    const before = asked
    await until(() => asked > before + 2, 'the replica requests a block')
  }
  await reads()
  time.elapsed += 1000
  await reads()
  fails = true
  await reads()
  const terms = leader.entries.filter(({ message }) => /engine ready|no longer leads/.test(message))
  t.equal(terms.length, 1)
})

test('steps down from a new store while no node responds, and stands for election once one does', async t => {
  const { start, database, script } = await replicas(t, { isNew: true })
  let asked = 0
  let isMute = true
  const { engine } = await start(store => store, {
    async status() {
      asked += 1
      if (isMute) throw new NodeUnavailableError('node.example', 'no response')
      return { chainId: 'chain-1', height: 100 }
    }
  })
  await until(() => !database.isLed, 'the replica steps down')
  const before = asked
  await until(() => asked > before + 2, 'the replica requests a status')
  t.notOk(database.isLed, 'the replica does not stand for election')
  script.account = () => ({ accountNumber: 1n, sequence: 0, height: 100 })
  isMute = false
  await until(() => engine.health().height === 100, 'the replica has registered the wallet')
})

/** Returns the chain's blocks up to height 100, then blocks from a fork. */
const forkedBlock: ChainClient['block'] = async height => {
  const previousHash = height > 100 ? 'F' : `B${height - 1}`
  return { ...chainBlock(height), previousHash, node: 'fork' }
}

const prunedBlock: ChainClient['block'] = async height => {
  if (height > 100) throw new HistoryPrunedError(height, height + 1)
  return forkedBlock(height)
}

for (const [blocker, block, closes] of [
  ['node-unreachable', unreachableBlock, false],
  ['foreign-chain', forkedBlock, true],
  ['history-pruned', prunedBlock, true]
] as const) {
  test(`steps down while blocks are unreadable, and does not stand for election until they are readable: ${blocker}`, async t => {
    const { start, database } = await replicas(t)
    let asked = 0
    let read = block
    const blocked = await start(store => store, {
      block(height) {
        asked += 1
        return read(height)
      }
    })
    await until(() => !database.isLed, 'the replica steps down')
    const before = asked
    await until(() => asked > before + 2, 'the replica requests a block')
    t.notOk(database.isLed, 'the replica does not stand for election')
    const reasons = () => blocked.engine.health().blockers.map(({ kind }) => kind)
    await until(() => reasons().includes(blocker), 'the replica still reports the blocker')
    if (closes) await t.rejects(blocked.submit('fee-0'), { code: 'INTAKE_CLOSED' })
    const other = await start()
    await until(() => reasons().length === 0, 'the blocker is cleared')
    t.match(await blocked.settle('fee-1'), { status: 'rejected' })
    t.equal(blocked.terms(), 1)
    t.equal(other.terms(), 1)
    read = async height => (height > 101 ? undefined : { ...chainBlock(height), node: 'node-1' })
    await other.engine.stop()
    await until(() => blocked.terms() === 2, 'the replica leads again once blocks are readable')
  })
}
