import { NodeUnavailableError } from '../../../services/chain-client/index.ts'
import { createSubmissionEngine } from '../../../services/submission/engine.ts'
import { chainBlock } from '../../helpers/chain-block.ts'
import { fastClock } from '../../helpers/clock.ts'
import { CANARY, engineContext } from '../../helpers/engine-context.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

const block = (height: number, previousHash = `B${height - 1}`) => chainBlock(height, { previousHash })

/** Starts an engine with what the context has; stopped when the test ends. */
async function started(
  t: Test,
  {
    engine: { chain, wallet, settings, log },
    store
  }: Pick<Awaited<ReturnType<typeof engineContext>>, 'engine' | 'store'>
) {
  const engine = createSubmissionEngine({
    store,
    chain,
    wallet,
    canary: CANARY,
    identify: () => [],
    settings,
    log,
    clock: fastClock(100)
  })
  await engine.start()
  t.teardown(() => engine.stop())
  return engine
}

/** A running engine on a chain that answers by a script, whose store is at block 100. */
async function runningEngine(t: Test, given?: Awaited<ReturnType<typeof engineContext>>) {
  const context = given ?? (await engineContext())
  const {
    engine: { chain },
    store,
    script,
    queue
  } = context
  let newest = 100
  let broadcasts = 0
  script.block = height => (height <= newest ? block(height) : undefined)
  script.broadcast = () => {
    broadcasts += 1
    return { status: 'accepted' }
  }
  let changeNode = () => {}
  chain.onNodeChange = listener => {
    changeNode = listener
  }
  const engine = await started(t, context)
  const request = (feeId: string) => ({
    identities: [{ kind: 'fee', value: feeId } as const],
    typeUrl: '/test.Msg',
    message: new TextEncoder().encode(feeId)
  })
  return {
    engine,
    store,
    chain,
    script,
    queue,
    broadcasts: () => broadcasts,
    /** Requests go to another node from now on. */
    changeNode: () => changeNode(),
    submit: (feeId: string) => engine.submit(request(feeId)),
    grow() {
      newest += 1
      script.height = newest
    },
    blocker: () => engine.health().blockers[0]?.kind
  }
}

test('while the node follows another chain nothing is accepted, signed or sent', async t => {
  const { engine, store, script, submit, queue, broadcasts, changeNode, grow, blocker } =
    await runningEngine(t)
  await submit('first')
  await until(() => broadcasts() === 1, 'the first submission is sent')
  const { block: ownBlock } = script
  script.block = height => (height === 101 ? block(101, 'FORK') : ownBlock(height))
  await until(() => blocker() === 'foreign-chain', 'the engine notices the other chain')
  await t.rejects(submit('second'), { code: 'INTAKE_CLOSED', statusCode: 503 })
  t.match(await submit('first'), { status: 'broadcast' }, 'a retry returns the submission')

  await queue('queued-before')
  changeNode()
  const seen: number[] = []
  script.block = height => {
    seen.push(height)
    return height === 101 ? block(101, 'FORK') : ownBlock(height)
  }
  await until(() => seen.length > 5, 'the engine has looked several times')
  t.match(await store.find('queued-before'), { status: 'queued' })
  t.equal(broadcasts(), 1)

  script.block = ownBlock
  grow()
  await until(() => blocker() === undefined, 'the engine is on its chain again')
  t.match(await submit('second'), { status: 'queued' })
  await until(() => broadcasts() > 1, 'the engine sends again')
  await until(() => engine.health().unsettled === 3, 'all of them are counted')
})

test('a node that does not answer at the start is a blocker until one answers', async t => {
  const context = await engineContext()
  const {
    engine: { chain },
    script
  } = context
  const { status, block: readBlock } = chain
  script.block = height => (height <= 100 ? block(height) : undefined)
  const noAnswer = async () => {
    throw new NodeUnavailableError('node.example', 'no answer')
  }
  Object.assign(chain, { status: noAnswer, block: noAnswer })
  const engine = await started(t, context)
  t.match(engine.health().blockers, [{ kind: 'node-unreachable', reason: /node\.example/ }])
  Object.assign(chain, { status, block: readBlock })
  await until(() => engine.health().blockers.length === 0, 'the node answers')
})

test('unsettled submissions of the store are counted at the start', async t => {
  const context = await engineContext()
  await context.queue('a', 'b')
  await context.open(['a'])
  const { engine } = await runningEngine(t, context)
  t.equal(engine.health().unsettled, 2)
})

test('a shutdown answers the waiting requests with the present state', async t => {
  const { engine, submit, broadcasts } = await runningEngine(t)
  const { submissionId } = await submit('first')
  await until(() => broadcasts() === 1, 'the submission is sent')
  const waiting = engine.settled(submissionId, 1_000_000)
  await engine.drain()
  t.match(await waiting, { submissionId, status: 'broadcast' })
  t.match(await submit('second'), { status: 'queued' }, 'accepted for the next start')
})

test('after a shutdown no request is made to wait', async t => {
  const { engine, submit } = await runningEngine(t)
  const { submissionId } = await submit('first')
  const waiting = engine.settled(submissionId, 1_000_000_000)
  await engine.drain()
  await waiting
  t.match(await engine.settled(submissionId, 1_000_000_000), { submissionId, status: /queued|broadcast/ })
})

test('a submission that is settled already is returned at once', async t => {
  const context = await engineContext()
  await context.queue('refused')
  await context.engine.store.reject('refused', { code: 1, codespace: 'x', message: 'no' })
  const { engine } = await runningEngine(t, context)
  t.match(await engine.settled('refused', 1_000_000_000), { status: 'rejected' })
})
