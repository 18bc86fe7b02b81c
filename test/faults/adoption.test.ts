import type { Devnet } from '../../packages/devnet/index.ts'
import type { Submission } from '../../services/submission/contract.ts'
import { startNetwork } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { type Test, test } from '../helpers/tap.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

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

test('retries with an empty store return the results from the chain', async t => {
  const devnet = await startNetwork(t, { control: true })
  const first = await startEngine(t, devnet)
  const executed = await settleAll(first, named('early', 5))
  devnet.control.produceBlocks(50)
  await settleAll(first, named('late', 20), executed)
  await first.stop()

  const second = await startEngine(t, devnet)
  await until(() => second.engine.health().height !== undefined, 'the engine has read the earlier blocks')
  const retried = await settleAll(second, executed.keys())
  for (const [feeId, result] of executed) {
    t.strictSame(resultOf(retried.get(feeId)), resultOf(result), feeId)
    await t.rejects(second.submit(feeId, { amount: '77' }), { code: 'QUOTE_ALREADY_USED' })
  }
  await settleAll(second, ['later'], retried)
  assertOnce(t, devnet, second.address, retried)
  t.strictSame(second.engine.health().blockers, [])
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
