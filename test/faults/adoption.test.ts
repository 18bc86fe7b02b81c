import type { Devnet } from '../../packages/devnet/index.ts'
import { specialTargets } from '../../packages/devnet/modules/transfer/special-addresses.ts'
import type { MsgRequestTransaction } from '../../services/messages/index.ts'
import type { Submission } from '../../services/submission/contract.ts'
import { startNetwork } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { type Test, test } from '../helpers/tap.ts'
import { ROUTE } from '../helpers/transfer.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import { startFaultProxy } from './fault-proxy.ts'

type Engine = Awaited<ReturnType<typeof startEngine>>
type Results = Map<string, Submission>

const named = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}`)

/** Submits a transfer for each feeId, waits until all are settled, and adds them to `results`. */
async function settleAll({ engine, submit }: Engine, feeIds: Iterable<string>, results: Results = new Map()) {
  await Promise.all(
    [...feeIds].map(async feeId => {
      const { submissionId } = await submit(feeId)
      results.set(feeId, await engine.settled(submissionId, PATIENCE_MS))
    })
  )
  return results
}

/** Returns the fields of a submission that depend only on the chain. */
function resultOf(submission: Submission | undefined) {
  if (submission?.status !== 'committed') return submission?.status
  const { txId, transactionHash, height, events } = submission
  return { txId, transactionHash, height, events }
}

function assertOnce(t: Test, devnet: Devnet, address: string, results: Results): void {
  const accepted = [...results].map(([feeId, submission]) => ({ feeId, submission }))
  assertExactlyOnce(t, readChain(devnet, address), accepted)
}

/** Retries submissions that another store executed. Asserts that each gets its result from the chain. */
async function assertRetried(t: Test, devnet: Devnet, engine: Engine, executed: Results): Promise<void> {
  const retried = await settleAll(engine, executed.keys())
  for (const [feeId, result] of executed) t.strictSame(resultOf(retried.get(feeId)), resultOf(result), feeId)
  for (const feeId of executed.keys()) {
    await t.rejects(engine.submit(feeId, { amount: '77' }), { code: 'QUOTE_ALREADY_USED' })
  }
  await settleAll(engine, ['later'], retried)
  assertOnce(t, devnet, engine.address, retried)
  t.strictSame(engine.engine.health().blockers, [])
}

const looked = ({ engine }: Engine) =>
  until(() => engine.health().height !== undefined, 'the engine has read the earlier blocks')

test('retries with an empty store return the results from the chain', async t => {
  const devnet = await startNetwork(t, { control: true })
  const first = await startEngine(t, devnet)
  const executed = await settleAll(first, named('early', 5))
  devnet.control.produceBlocks(50)
  await settleAll(first, named('late', 20), executed)
  await first.stop()

  const second = await startEngine(t, devnet)
  await looked(second)
  await assertRetried(t, devnet, second, executed)
})

test('an empty store recognizes payments, and ties a refused payment to its target', async t => {
  const devnet = await startNetwork(t, { control: true })
  const first = await startEngine(t, devnet)
  const card = (transactionIdSeed: string, change: Partial<MsgRequestTransaction> = {}) => ({
    originChain: 'FIAT',
    originAddress: '',
    options: JSON.stringify({ feeId: 'quote', transactionIdSeed }),
    ...change
  })
  async function settle({ engine, submit }: Engine, change: ReturnType<typeof card>) {
    const { submissionId } = await submit('quote', change)
    return engine.settled(submissionId, PATIENCE_MS)
  }
  const executed = await Promise.all(['one', 'two'].map(seed => settle(first, card(seed))))
  t.notSame(resultOf(executed[0]), resultOf(executed[1]))
  const refused = { targetAddress: specialTargets.refusedByEvent }
  t.match(await settle(first, card('three', refused)), { status: 'rejected', height: Number })
  await first.stop()

  const second = await startEngine(t, devnet)
  await looked(second)
  for (const [at, seed] of ['one', 'two'].entries()) {
    const targetAddress = ROUTE.targetAddress.toLowerCase()
    t.strictSame(resultOf(await settle(second, card(seed))), resultOf(executed[at]))
    t.strictSame(resultOf(await settle(second, card(seed, { targetAddress }))), resultOf(executed[at]))
  }
  const { submissions } = await second.store.list({ feeId: 'quote' }, 9)
  t.equal(submissions.length, 2)
  await t.rejects(second.submit('quote', card('three')), { code: 'PAYMENT_ALREADY_USED' })
  const sameTarget = { targetAddress: refused.targetAddress.toUpperCase().replace('X', 'x'), amount: '7' }
  t.match(await settle(second, card('three', sameTarget)), { status: 'rejected' }, 'the chain refused it')
  await t.rejects(second.submit('quote', card('three')), { code: 'PAYMENT_ALREADY_USED' })
})

test('a request leaves its slot once another store’s transaction has executed it', async t => {
  const devnet = await startNetwork(t, { control: true })
  const { log, entries } = keepingLog()
  const proxy = await startFaultProxy(t, devnet.urls.rpc)
  const one = await startEngine(t, devnet, { log, nodes: [proxy.url] })
  await settleAll(one, ['first'])
  devnet.control.pause()
  const slots = async () => (await one.engine.health()).openSlots
  const before = await one.submit('before')
  await until(async () => (await slots()) === 1, 'the first slot is open')
  const shared = await one.submit('shared')
  await until(() => devnet.chain.mempool.size === 2, 'both transactions are in the mempool')
  // The node drops both transactions, and attempts to resend them fail. The other store's transaction can therefore
  // consume the first of the two sequences.
  proxy.fail('broadcast_tx_sync', { kind: 'reset' })
  devnet.control.restart()
  devnet.control.produceBlocks(1)
  const two = await startEngine(t, devnet)
  await looked(two)
  const copy = await two.submit('shared')
  await until(() => devnet.chain.mempool.size === 1, 'the transaction from the other store is in the mempool')
  // The first store waits for a second header before it applies a transaction that it did not sign.
  devnet.control.produceBlocks(2)
  const original = await two.engine.settled(copy.submissionId, PATIENCE_MS)
  t.strictSame(resultOf(await one.engine.settled(shared.submissionId, PATIENCE_MS)), resultOf(original))
  proxy.heal()
  devnet.control.resume()
  const results: Results = new Map([['shared', original]])
  results.set('before', await one.engine.settled(before.submissionId, PATIENCE_MS))
  await settleAll(one, ['first', 'later'], results)
  await until(async () => (await slots()) === 0, 'every slot is resolved')
  assertOnce(t, devnet, one.address, results)
  const found = entries.filter(({ message }) => message.startsWith('another transaction already executed'))
  t.match(found, [
    {
      level: 'error',
      message:
        'another transaction already executed a submission of this slot; removing the submission from it'
    }
  ])
})

test('an older copy of a store signs nothing while mempools have newer transactions', async t => {
  const devnet = await startNetwork(t, { control: true })
  const { control } = devnet
  const place = await (await durableStores()).sqlite.newPlace(t)
  const first = await startEngine(t, devnet, { open: place.open })
  await settleAll(first, ['before'])
  await first.stop()
  const backup = await place.copy()
  const { laggingRpc = '', rpc } = devnet.urls
  control.pause()
  control.setLag(0)
  control.setFrozen(true, 'lagging')
  const { log, entries } = keepingLog()
  const lost = await startEngine(t, devnet, { open: place.open, nodes: [laggingRpc], log })
  const sent = () => entries.filter(({ message }) => message === 'slot sent').length
  const feeIds = named('after', 3)
  for (const [index, feeId] of feeIds.entries()) {
    await lost.submit(feeId)
    await until(() => sent() > index, 'the isolated node has received the transaction')
  }
  await lost.stop()

  const restored = await startEngine(t, devnet, { open: backup.open, nodes: [rpc, laggingRpc] })
  await restored.submit('after-2')
  const blocked = () => restored.engine.health().blockers.length > 0
  await until(
    () => blocked() || devnet.chain.mempool.size > 0,
    'the engine has sent a transaction or reports a blocker'
  )
  t.match(restored.engine.health().blockers, [{ kind: 'unknown-transactions' }])
  control.produceBlocks(1)
  control.setFrozen(false, 'lagging')
  control.resume()
  const results = await settleAll(restored, ['before', ...feeIds, 'later'])
  assertOnce(t, devnet, restored.address, results)
  t.match(restored.engine.health().blockers, [{ kind: 'wallet-shared' }])
})
