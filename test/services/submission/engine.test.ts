import { setImmediate } from 'node:timers/promises'
import type { SubmissionStore } from '../../../services/submission/contract.ts'
import { createSubmissionEngine } from '../../../services/submission/engine.ts'
import { fastClock } from '../../helpers/clock.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'
import { createMemoryDatabase } from '../../simulation/store/memory-database.ts'
import { blockTransaction, chainBlock, signedBytes } from '../chain-block.ts'
import { CONTROL_REQUEST, engineContext, failed, passed, silent } from './act/engine-context.ts'
import { REFUSAL, request } from './store-data.ts'

type Context = Pick<Awaited<ReturnType<typeof engineContext>>, 'engine' | 'store'>

async function started(t: Test, { engine: { chain, wallet, settings, log, identify }, store }: Context) {
  const clock = fastClock(100)
  // A busy machine, on which 150 ms are 15 seconds of this clock, must not let it leave the wallet to other processes.
  async function lead() {
    const term = await store.lead()
    return term && { ...term, isAlone: true as const }
  }
  const tools = { chain, wallet, settings, log, identify, controlRequest: CONTROL_REQUEST, clock }
  const engine = createSubmissionEngine({ ...tools, store: { ...store, lead } })
  await engine.start()
  t.teardown(() => engine.stop())
  return { engine, kinds: () => engine.health().blockers.map(({ kind }) => kind) }
}

test('accepts, signs and sends nothing while the node follows another chain', async t => {
  const context = await engineContext()
  const { store, script, queue } = context
  let broadcasts = 0
  script.broadcast = () => {
    broadcasts += 1
    return { status: 'accepted' }
  }
  const ownBlock = script.block
  const { engine, kinds } = await started(t, context)
  const submit = (feeId: string) => engine.submit(request(feeId))
  await submit('first')
  await until(() => broadcasts === 1, 'the first submission is sent')
  let read = 0
  script.block = height => {
    if (height !== 101) return ownBlock(height)
    read += 1
    return chainBlock(101, { previousHash: 'FORK' })
  }
  await until(() => kinds().includes('foreign-chain'), 'the engine detects the other chain')
  await t.rejects(submit('second'), { code: 'INTAKE_CLOSED', statusCode: 503 })
  t.match(await submit('first'), { status: 'broadcast' }, 'a retry returns the submission')
  await queue('queued-before')
  const before = read
  await until(() => read > before + 3, 'the engine has read the block again')
  t.match(await store.find('queued-before'), { status: 'queued' })
  t.equal(broadcasts, 1)

  script.block = ownBlock
  script.height += 1
  await until(() => kinds().length === 0, 'the engine is back on its own chain')
  t.match(await submit('second'), { status: 'queued' })
  await until(() => broadcasts > 1, 'the engine sends again')
  await until(() => engine.health().unsettled === 3, 'all submissions are counted')
})

test('reports a program that sends with the wallet, also if it consumes no sequence', async t => {
  const { typeUrl, identities } = request('other')
  for (const unordered of [false, true]) {
    const context = await engineContext()
    const { engine, script } = context
    Object.assign(engine, { identify: () => ({ identities }) })
    const messages = [{ typeUrl, value: Buffer.from(engine.wallet.address) }]
    const bytes = signedBytes(unordered ? 0 : 7, { key: engine.wallet.publicKey, messages, unordered })
    const ownBlock = script.block
    const next = script.height + 1
    script.block = height =>
      height === next ? chainBlock(height, { transactions: [blockTransaction({ bytes })] }) : ownBlock(height)
    const { engine: running, kinds } = await started(t, context)
    script.height = next + 1
    await until(() => kinds().length > 0, 'the block is read')
    t.match(running.health().blockers, [{ kind: 'wallet-shared' }], unordered ? 'unordered' : 'ordered')
  }
})

test('accepts nothing while nodes require a price that is too high', async t => {
  const context = await engineContext()
  const { script } = context
  script.prices = [{ denom: 'unit', amount: '0.2' }]
  const { engine, kinds } = await started(t, context)
  await until(() => kinds().includes('price-refused'), 'the engine compares the prices')
  await t.rejects(engine.submit(request('first')), { code: 'INTAKE_CLOSED', message: /refuse the fee/ })
  script.prices = []
  await until(() => kinds().length === 0, 'the price is accepted')
})

test('an older store accepts nothing until it has read the blocks of its start', async t => {
  const context = await engineContext()
  const { script } = context
  script.height = 120
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  // The chain is faster than the engine, so that there is always a later block.
  script.block = async height => {
    if (height > 110) await released
    await setImmediate()
    script.height = Math.max(script.height, height + 5)
    return chainBlock(height)
  }
  const { engine } = await started(t, context)
  t.match(engine.health().blockers, [{ kind: 'catching-up', reason: 'reading blocks 101 to 120' }])
  await t.rejects(engine.submit(request('first')), { code: 'INTAKE_CLOSED', message: /latest blocks/ })
  release()
  await until(() => engine.health().blockers.length === 0, 'the engine has caught up')
  t.match(await engine.submit(request('first')), { status: 'queued' })
})

test('an older store signs nothing while a node expects a higher sequence', async t => {
  const mismatch = failed('account sequence mismatch, expected 8, got 7: incorrect account sequence', 32)
  const context = await engineContext({ simulate: () => mismatch })
  const { queue, store } = context
  await queue('a')
  const { kinds } = await started(t, context)
  await until(() => kinds().includes('unknown-transactions'), 'the unknown transaction is reported')
  t.match(await store.find('a'), { status: 'queued' })
  await until(async () => (await store.find('a'))?.status === 'broadcast', 'the other node is right')
})

test('reports that nodes accept a transaction, but no block contains it', async t => {
  const context = await engineContext()
  const { script, queue } = context
  await queue('a')
  const { engine } = await started(t, context)
  const reason = await until(() => {
    script.height += 1
    return engine.health().blockers.find(({ kind }) => kind === 'transactions-ignored')?.reason
  }, 'the transaction is reported')
  t.match(reason, /^node-1 accepted transaction [0-9A-F]{64}, but blocks \d+ to \d+ do not contain it$/)
})

test('a new store accepts nothing until the wallet’s state is known', async t => {
  const { engine: parts, script } = await engineContext()
  const ownBlock = script.block
  script.account = silent
  const { engine, kinds } = await started(t, { engine: parts, store: createMemoryDatabase().open() })
  await t.rejects(engine.isAccepted(request('first')), { code: 'WALLET_UNKNOWN', statusCode: 503 })
  script.account = () => undefined
  await until(() => kinds().includes('wallet-unknown'), 'the wallet is reported as unknown to the chain')
  t.equal(await engine.isAccepted(request('first')), false, 'an unknown wallet has executed nothing')
  let sequence = 0
  script.account = () => ({ accountNumber: 1n, sequence: sequence++, height: 100 })
  await until(() => kinds().includes('nodes-disagree'), 'the node contradicts itself')
  await t.rejects(engine.submit(request('first')), { code: 'INTAKE_CLOSED', message: /nodes disagree/ })
  const expected: string[] = []
  parts.chain.expectChain = chainId => void expected.push(chainId)
  script.account = () => ({ accountNumber: 1n, sequence: 7, height: 100 })
  // The node is on a fork at first, so the account and its block must be requested again.
  script.block = height =>
    height === 100 ? chainBlock(100, { hash: 'FORK', previousHash: 'F' }) : chainBlock(height)
  await until(() => kinds().includes('looking-back'), 'a node knows the wallet after all')
  await t.rejects(engine.isAccepted(request('first')), { code: 'INTAKE_CLOSED', statusCode: 503 })
  script.block = ownBlock
  await until(() => kinds().length === 0, 'the engine has read the earlier blocks')
  t.strictSame(expected, ['chain-1'], 'nodes of other chains are skipped from now on')
  t.equal(await engine.isAccepted(request('first')), false)
})

/** Starts replicas that share a store, on a chain that refuses every message. */
async function replicas(t: Test) {
  const context = await engineContext()
  const { script, database } = context
  script.simulate = (messages, isControlRequest) => {
    if (isControlRequest && messages === 1) return passed(100_000)
    const index = isControlRequest ? 1 : 0
    return failed(`failed to execute message; message index: ${index}: no such token: invalid request`, 18)
  }
  const start = async (alter: (store: SubmissionStore) => Partial<SubmissionStore> = () => ({})) => {
    const store = database.open()
    return (await started(t, { ...context, store: { ...store, ...alter(store) } })).engine
  }
  return { start, reject: context.engine.store.reject, script }
}

test('limits a caller’s share of the backlog, and frees it without the settled ids', async t => {
  const { start, reject } = await replicas(t)
  const engine = await start(store => ({
    lead: async () => undefined,
    onNotification: hear => store.onNotification(({ kind }) => kind === 'settled' && hear({ kind }))
  }))
  const submit = (name: string, shareOf = 'shop') =>
    engine.submit(request(name), { shareOf, requestId: 'a request' })
  const [first] = await Promise.all(Array.from({ length: 5000 }, (_, number) => submit(`fee-${number}`)))
  const headers = { 'retry-after': '5' }
  await t.rejects(submit('fee-5000'), { code: 'BACKLOG_SHARE', statusCode: 429, headers })
  t.match(await submit('fee-0'), { submissionId: first?.submissionId }, 'a retry')
  t.match(await submit('fee-5000', 'another'), { status: 'queued' })
  await reject(first?.submissionId ?? '', REFUSAL)
  await until(() => submit('fee-5001').catch(() => undefined), 'the settled submission frees its place')
})

test('each replica reports the leader’s health, and closes intake while it has a blocker', async t => {
  const { start, script } = await replicas(t)
  const leader = await start()
  const other = await start(store => ({
    async report() {
      const report = await store.report()
      return report && { ...report, ageMs: 30_000, withoutTxId: 3 }
    }
  }))
  const refuses = script.simulate
  script.simulate = () => failed('the creator is not whitelisted: unauthorized', 4)
  /** The engine's clock runs 100 times as fast. */
  const settle = async (feeId: string) =>
    other.settled((await other.submit(request(feeId))).submissionId, 100 * PATIENCE_MS)
  const settling = settle('fee-1')
  await until(() => other.health().blockers.length > 0, 'the other replica reports the blocker')
  const { blockers, height } = leader.health()
  t.match(other.health(), { blockers, height, leaderSilentMs: 30_000, withoutTxId: 3 })
  await t.rejects(other.submit(request('fee-2')), { code: 'WALLET_NOT_WHITELISTED' })
  script.simulate = refuses
  t.match(await settling, { status: 'rejected' })
  await until(() => other.health().blockers.length === 0, 'the blocker is cleared')
  t.match(await settle('fee-2'), { status: 'rejected' })
  script.block = height => chainBlock(height, { previousHash: 'FORK' })
  script.height += 1
  await until(() => other.health().blockers.length > 0, 'a halted leader still reports')
  t.match(other.health().blockers, [{ kind: 'foreign-chain' }])
})
