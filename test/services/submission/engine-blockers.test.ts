import { NodeUnavailableError } from '../../../services/chain-client/index.ts'
import { createSubmissionEngine } from '../../../services/submission/engine.ts'
import { chainBlock } from '../../helpers/chain-block.ts'
import { fastClock } from '../../helpers/clock.ts'
import { request } from '../../helpers/store-data.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { createMemoryDatabase } from '../../simulation/store/memory-database.ts'
import { CONTROL_REQUEST, engineContext } from './act/engine-context.ts'

const block = (height: number, previousHash = `B${height - 1}`) => chainBlock(height, { previousHash })

type Context = Pick<Awaited<ReturnType<typeof engineContext>>, 'engine' | 'store'>

async function started(t: Test, { engine: { chain, wallet, settings, log, identify }, store }: Context) {
  const clock = fastClock(100)
  const tools = { chain, wallet, settings, log, identify, controlRequest: CONTROL_REQUEST, clock, store }
  const engine = createSubmissionEngine(tools)
  await engine.start()
  t.teardown(() => engine.stop())
  return { engine, kinds: () => engine.health().blockers.map(({ kind }) => kind) }
}

test('logs a blocker only when it is raised and when it is cleared', async t => {
  const { engine, kinds, entries, time } = await engineContext()
  const { blockers } = engine
  for (const kind of ['history-pruned', 'nodes-disagree'] as const) blockers.raise(kind, 'x'.repeat(10_000))
  time.now += 1000
  blockers.raise('nodes-disagree', 'another reason')
  const present = { reason: /^x+ … \d+ characters … x+$/, since: '1970-01-01T00:16:40.000Z' }
  t.match(blockers.present, [present, present])
  blockers.clear('node-unreachable', 'history-pruned', 'foreign-chain', 'nodes-disagree')
  t.strictSame(kinds(), [])
  t.match(entries, [
    { level: 'error', fields: { blocker: 'history-pruned' }, message: 'blocker raised' },
    { level: 'error', fields: { blocker: 'nodes-disagree', reason: present.reason } },
    { level: 'info', fields: { blocker: 'history-pruned' }, message: 'blocker cleared' },
    { level: 'info', fields: { blocker: 'nodes-disagree' } }
  ])
  t.equal(entries.length, 4)
})

test('accepts, signs and sends nothing while the node follows another chain', async t => {
  const context = await engineContext()
  const { store, script, queue } = context
  let broadcasts = 0
  script.broadcast = () => {
    broadcasts += 1
    return { status: 'accepted' }
  }
  const ownBlock = (height: number) => (height <= script.height ? block(height) : undefined)
  script.block = ownBlock
  const { engine, kinds } = await started(t, context)
  const submit = (feeId: string) => engine.submit(request(feeId))
  await submit('first')
  await until(() => broadcasts === 1, 'the first submission is sent')
  let read = 0
  script.block = height => {
    if (height !== 101) return ownBlock(height)
    read += 1
    return block(101, 'FORK')
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

const silent = () => {
  throw new NodeUnavailableError('node.example', 'no response')
}

test('reports node-unreachable from startup until a node responds', async t => {
  const context = await engineContext()
  const { script } = context
  script.block = height => (height <= 100 ? block(height) : undefined)
  const { chain } = context.engine
  const { status, block: readBlock } = chain
  Object.assign(chain, { status: async () => silent(), block: async () => silent() })
  const { engine, kinds } = await started(t, context)
  t.match(engine.health().blockers, [{ kind: 'node-unreachable', reason: /node\.example/ }])
  Object.assign(chain, { status, block: readBlock })
  await until(() => kinds().length === 0, 'the node responds')
})

test('a new store accepts nothing until the wallet’s state is known', async t => {
  const { engine: parts, script } = await engineContext()
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
    height === 100 ? chainBlock(100, { hash: 'FORK', previousHash: 'F' }) : block(height)
  await until(() => kinds().includes('looking-back'), 'a node knows the wallet after all')
  await t.rejects(engine.isAccepted(request('first')), { code: 'INTAKE_CLOSED', statusCode: 503 })
  script.block = height => (height <= 100 ? block(height) : undefined)
  await until(() => kinds().length === 0, 'the engine has read the earlier blocks')
  t.strictSame(expected, ['chain-1'], 'nodes of other chains are skipped from now on')
  t.equal(await engine.isAccepted(request('first')), false)
})
