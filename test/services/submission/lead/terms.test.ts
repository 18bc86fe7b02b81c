import {
  type ChainClient,
  HistoryPrunedError,
  NodeUnavailableError
} from '../../../../services/chain-client/index.ts'
import { createSubmissionEngine } from '../../../../services/submission/engine.ts'
import type { EngineStore } from '../../../../services/submission/store/engine-writes.ts'
import { StoreUncertainError } from '../../../../services/submission/store/errors.ts'
import type { SubmissionStore } from '../../../../services/submission/store/types.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { fastClock } from '../../../helpers/clock.ts'
import { keepingLog, type LogEntry } from '../../../helpers/keeping-log.ts'
import { type Test, test } from '../../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../../helpers/until.ts'
import { CANARY, engineContext } from '../engine-context.ts'

/** Time that a test waits for a result, on the clock below. */
const PATIENCE = 100 * PATIENCE_MS

/** A chain of 100 blocks that refuses every message, and what replicas need that share one store. */
async function replicas(t: Test) {
  const context = await engineContext()
  const { script, database } = context
  const { chain, wallet, settings } = context.engine
  script.block = height => (height <= script.height ? chainBlock(height) : undefined)
  script.simulate = (messages, _isControl, isCanary) => {
    if (isCanary && messages === 1) return { status: 'passed', gasUsed: 100_000 }
    const index = isCanary ? 1 : 0
    const log = `failed to execute message; message index: ${index}: no such token: invalid request`
    return { status: 'failed', code: 18, codespace: 'sdk', log }
  }

  /** Starts a replica; stopped when the test ends. */
  async function start(alter = (store: SubmissionStore) => store, nodes: Partial<ChainClient> = {}) {
    const store = database.open()
    const { log, entries } = keepingLog()
    const options = {
      chain: { ...chain, ...nodes },
      wallet,
      canary: CANARY,
      identify: () => [],
      settings,
      log,
      clock: fastClock(100)
    }
    const engine = createSubmissionEngine({ ...options, store: alter(store) })
    await engine.start()
    t.teardown(() => engine.stop())
    const readings = () => entries.filter(({ message }) => message === 'engine ready').length
    return {
      engine,
      entries,
      /** Number of terms that the replica has begun. */
      terms: readings,
      loseLock: store.loseLock,
      submit: (feeId: string) =>
        engine.submit({
          identities: [{ kind: 'fee', value: feeId }],
          typeUrl: '/test.Msg',
          message: new TextEncoder().encode(feeId)
        })
    }
  }

  return { start, database, store: context.store, script }
}

const troubles = (entries: LogEntry[]) =>
  entries.filter(({ level }) => level === 'warn' || level === 'error').map(({ message }) => message)

test('lets one replica lead while the others serve their clients too', async t => {
  const { start } = await replicas(t)
  const leader = await start()
  const other = await start()
  const { submissionId } = await other.submit('fee-1')
  t.match(await other.engine.settled(submissionId, PATIENCE), { status: 'rejected' })
  t.match(await leader.engine.find(submissionId), { status: 'rejected' })
  t.equal(leader.terms(), 1)
  t.equal(other.terms(), 0)
  t.equal(other.engine.health().height, 100)
  t.strictSame(other.engine.health().blockers, [])
  await until(() => other.engine.health().unsettled === 0, 'the backlog is counted')
})

test('finds results and queued submissions by polling, without notifications', async t => {
  const { start } = await replicas(t)
  const deaf = (store: SubmissionStore) => ({ ...store, onNotification() {} })
  const leader = await start(deaf)
  const other = await start(deaf)
  for (const replica of [other, leader]) {
    const { submissionId } = await replica.submit(`fee-${replica === leader}`)
    t.match(await replica.engine.settled(submissionId, PATIENCE), { status: 'rejected' })
  }
})

test('closes intake at every replica for the leader’s blockers', async t => {
  const { start, script } = await replicas(t)
  const leader = await start()
  const other = await start()
  const passes = script.simulate
  const log = 'the creator is not whitelisted: unauthorized'
  script.simulate = () => ({ status: 'failed', code: 4, codespace: 'sdk', log })
  const { submissionId } = await other.submit('fee-1')
  await until(() => other.engine.health().blockers.length > 0, 'the blocker is known')
  t.strictSame(other.engine.health().blockers, leader.engine.health().blockers)
  await t.rejects(other.submit('fee-2'), { code: 'WALLET_NOT_WHITELISTED' })
  script.simulate = passes
  t.match(await other.engine.settled(submissionId, PATIENCE), { status: 'rejected' })
  await until(() => other.engine.health().blockers.length === 0, 'it is gone')
  const { submissionId: next } = await other.submit('fee-2')
  t.match(await other.engine.settled(next, PATIENCE), { status: 'rejected' })
})

test('continues at another replica when the leader stops', async t => {
  const { start } = await replicas(t)
  const leader = await start()
  const other = await start()
  await leader.engine.stop()
  const { submissionId } = await other.submit('fee-1')
  t.match(await other.engine.settled(submissionId, PATIENCE), { status: 'rejected' })
  t.equal(other.terms(), 1)
  t.strictSame(troubles([...leader.entries, ...other.entries]), [])
})

test('ends the term at the next write of a leader that has lost its lock, and logs it once', async t => {
  const { start, store, script } = await replicas(t)
  const leader = await start()
  const other = await start()
  await until(() => leader.engine.health().loops.length === 3, 'the leader works')
  await leader.loseLock()
  await until(() => other.terms() === 1, 'the other replica leads')
  script.height = 101
  await until(async () => (await store.walletState())?.cursorHeight === 101, 'the next block is read')
  await until(
    () => leader.entries.some(({ message }) => /no longer leads/.test(message)),
    'the loss is reported'
  )
  const { submissionId } = await leader.submit('fee-1')
  t.match(await leader.engine.settled(submissionId, PATIENCE), { status: 'rejected' })
  t.strictSame(troubles([...leader.entries, ...other.entries]), [])
  t.equal(leader.entries.filter(({ message }) => /no longer leads/.test(message)).length, 1)
  t.equal(leader.terms(), 1)
})

test('begins a new term after a write of unknown outcome', async t => {
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

test('does not lead after a stop while it stands for election', async t => {
  const { start, database } = await replicas(t)
  const leader = await start()
  const other = await start()
  await Promise.all([leader.engine.stop(), other.engine.stop()])
  t.notOk(database.isLed)
})

test('ends a term that begins while the engine stops', async t => {
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

test('keeps leading without blocks as the only process of a store', async t => {
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
    async block() {
      asked += 1
      throw new NodeUnavailableError('node.example', 'no answer')
    }
  })
  const startedAt = clock.elapsed()
  await until(() => clock.elapsed() - startedAt > 16_000, 'it is blind for as long as others may be')
  const before = asked
  await until(() => asked > before + 2, 'it asks for a block')
  t.ok(database.isLed)
})

/** The chain's blocks up to height 100; the next block follows a different one. */
const forkedBlock: ChainClient['block'] = async height => {
  const previousHash = height > 100 ? 'F' : `B${height - 1}`
  return { ...chainBlock(height), previousHash, node: 'fork' }
}

/** The blocks up to height 100; later blocks were pruned. */
const prunedBlock: ChainClient['block'] = async height => {
  if (height > 100) throw new HistoryPrunedError(height, height + 1)
  return forkedBlock(height)
}

const unreachableBlock: ChainClient['block'] = async () => {
  throw new NodeUnavailableError('node.example', 'no answer')
}

for (const [blocker, block] of [
  ['node-unreachable', unreachableBlock],
  ['foreign-chain', forkedBlock],
  ['history-pruned', prunedBlock]
] as const) {
  test(`steps down without readable blocks, and stays away until it can read them: ${blocker}`, async t => {
    const { start, database } = await replicas(t)
    let asked = 0
    const blocked = await start(store => store, {
      block(height) {
        asked += 1
        return block(height)
      }
    })
    await until(() => !database.isLed, 'it steps down')
    const before = asked
    await until(() => asked > before + 2, 'it asks for a block')
    t.notOk(database.isLed, 'it stays away')
    const reasons = () => blocked.engine.health().blockers.map(({ kind }) => kind)
    await until(() => reasons().includes(blocker), 'the reason stays known')
    const other = await start()
    await until(() => reasons().length === 0, 'the reason is gone')
    const { submissionId } = await blocked.submit('fee-1')
    t.match(await blocked.engine.settled(submissionId, PATIENCE), { status: 'rejected' })
    t.equal(blocked.terms(), 1)
    t.equal(other.terms(), 1)
  })
}
