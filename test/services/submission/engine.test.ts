import { startNetwork } from '../../helpers/app.ts'
import { fastClock } from '../../helpers/clock.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { assertExactlyOnce, readChain } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { tally } from '../../helpers/tracked-submissions.ts'
import { OTHER } from '../../helpers/transfer.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'

const feeIds = (count: number) => Array.from({ length: count }, (_, index) => `fee-${index}`)

for (const sdk of ['0.47', '0.50'] as const) {
  test(`SDK ${sdk}: settles each submission in a shared transaction with the result of its own message`, async t => {
    const devnet = await startNetwork(t, { sdk })
    const { engine, submit, address } = await startEngine(t, devnet)
    const names = feeIds(120).map((feeId, index) =>
      index % 10 === 3 ? `${OTHER.refusedByEvent}${index}` : feeId
    )
    const accepted = await Promise.all(
      names.map(async feeId => {
        const { submissionId } = await submit(feeId)
        return { feeId, submission: await engine.settled(submissionId, PATIENCE_MS) }
      })
    )
    t.strictSame(tally(accepted), { committed: 108, rejected: 12 })
    const truth = readChain(devnet, address)
    assertExactlyOnce(t, truth, accepted)
    t.equal(engine.health().unsettled, 0)
    t.ok(truth.sequences.length < 120, 'transactions were shared')
    t.strictSame(truth.failures, [])
  })
}

test('executes submissions accepted before a restart exactly once', async t => {
  const devnet = await startNetwork(t)
  const before = await startEngine(t, devnet)
  devnet.chain.pause()
  const sent = await before.submit('fee-sent')
  await until(() => devnet.chain.mempool.size > 0, 'the node has the transaction')
  const queued = await before.submit('fee-queued')
  await before.stop()
  devnet.chain.produceBlock()
  devnet.chain.resume()

  const after = await startEngine(t, devnet, { directory: before.directory })
  for (const { submissionId } of [sent, queued]) {
    t.match(await after.engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
  }
  const { executions } = readChain(devnet, after.address)
  t.equal(executions.get('fee-sent'), 1)
  t.equal(executions.get('fee-queued'), 1)
})

test('applies blocks while the signer hangs, and executes waiting submissions once the signer recovers', async t => {
  const devnet = await startNetwork(t)
  let isHanging = false
  const hung: (() => void)[] = []
  const { engine, submit, address } = await startEngine(t, devnet, {
    clock: fastClock(20),
    changeWallet: ({ signDirect }) => ({
      async signDirect(...request) {
        if (isHanging) await new Promise<void>(resolve => hung.push(resolve))
        return signDirect(...request)
      }
    })
  })
  devnet.chain.pause()
  const sent = await submit('fee-sent')
  await until(() => devnet.chain.mempool.size > 0, 'the node has the transaction')
  isHanging = true
  const waiting = await submit('fee-waiting')
  await until(() => hung.length > 0, 'the signer hangs')
  devnet.chain.resume()
  t.match(await engine.settled(sent.submissionId, PATIENCE_MS), { status: 'committed' })
  await until(() => hung.length > 1, 'the engine calls the signer again')
  t.match(await engine.find(waiting.submissionId), { status: 'queued' })

  isHanging = false
  t.match(await engine.settled(waiting.submissionId, PATIENCE_MS), { status: 'committed' })
  for (const sign of hung) sign()
  const last = await submit('fee-last')
  t.match(await engine.settled(last.submissionId, PATIENCE_MS), { status: 'committed' })
  const { executions, sequences } = readChain(devnet, address)
  t.strictSame(
    [...executions],
    ['fee-sent', 'fee-waiting', 'fee-last'].map(feeId => [feeId, 1])
  )
  t.equal(sequences.length, 3)
})

test('refuses to start if the chain was restarted from genesis', async t => {
  const { directory, stop } = await startEngine(t, await startNetwork(t))
  await stop()
  const anew = await startNetwork(t)
  while (anew.chain.height < 20) anew.chain.produceBlock()
  await t.rejects(startEngine(t, anew, { directory }), {
    name: 'ForeignChainError',
    message: /was restarted/
  })
})

test('while draining, waits for results that clients await, and still accepts submissions', async t => {
  const devnet = await startNetwork(t)
  const { engine, submit } = await startEngine(t, devnet)
  const { submissionId } = await submit('fee-last')
  const result = engine.settled(submissionId, PATIENCE_MS)
  await engine.drain()
  t.match(await result, { status: 'committed' })
  const late = await submit('fee-late')
  t.match(await engine.settled(late.submissionId, PATIENCE_MS), { status: 'committed' })
  t.match(await submit('fee-last'), { status: 'committed' }, 'a retry returns the result')
})
