import type { Test } from 'tap'
import type { Devnet } from '../../devnet/index.ts'
import type { Submission } from '../../services/submission/types.ts'
import { startNetwork } from './app.ts'
import type { StorePlace } from './durable-stores.ts'
import { startEngine } from './engine-at.ts'
import { type Accepted, assertExactlyOnce, readChain } from './oracle/index.ts'
import { transferRequest } from './transfer-request.ts'
import { PATIENCE_MS, until } from './until.ts'

/**
 * A network and a stopped server's store, which does not know what the newest block executed:
 *  - `done` is committed in slot 0;
 *  - `executed` is in slot 1, which the newest block has consumed;
 *  - `open` is in slot 2, which nothing has consumed;
 *  - `queued` is in no slot.
 * @param options.emptyBlocksBefore how many blocks before the newest one the store has not read either
 * @param options.failure makes the transaction of slot 1 run out of gas, with this log: it consumes its sequence
 */
export async function storeWithOpenSlots(
  t: Test,
  place: StorePlace,
  { emptyBlocksBefore = 0, failure = '' } = {}
) {
  const devnet = await startNetwork(t, { control: true })
  const { engine, store, submit, stop, address } = await startEngine(t, devnet, { open: place.open })
  const done = await submit('done')
  await engine.settled(done.submissionId, PATIENCE_MS)
  devnet.control.pause()
  const inSlot = async (feeId: string) => {
    const { submissionId } = await submit(feeId)
    await until(async () => (await store.find(submissionId))?.status === 'broadcast', `${feeId} is in a slot`)
    return submissionId
  }
  const executed = await inSlot('executed')
  await until(() => devnet.chain.mempool.size === 1, 'the node has its transaction')
  devnet.control.setMempoolSize(1)
  const open = await inSlot('open')
  await stop()

  const ids = { done: done.submissionId, executed, open, queued: 'id-queued' }
  const offline = await place.open(address)
  await offline.take([{ ...transferRequest('queued', { creator: address }), submissionId: ids.queued }])
  await offline.close()
  devnet.control.setMempoolSize(5000)
  if (emptyBlocksBefore > 0) {
    const [waiting = new Uint8Array()] = devnet.chain.mempool.list(1)
    devnet.control.restart()
    devnet.control.produceBlocks(emptyBlocksBefore)
    devnet.chain.submitTx(waiting)
  }
  if (failure !== '') {
    devnet.control.failMessages({ count: 1, code: 11, codespace: 'sdk', log: failure, simulated: false })
  }
  devnet.control.produceBlocks(1)
  return { devnet, address, ids }
}

/**
 * Starts the server on that store, waits for every submission, and compares all with the chain.
 * @param options.fields those of messages, by feeId, that are not `ownRequest`
 * @param options.unreported the transaction ids, by feeId, of submissions that are committed without one
 * @param options.undecided the feeIds of submissions that an operator has decided about without their block
 */
export async function assertAllExecutedOnce(
  t: Test,
  devnet: Devnet,
  {
    place,
    ids,
    unreported = {},
    undecided = Object.keys(unreported),
    fields = {}
  }: {
    place: StorePlace
    ids: Record<string, string>
    unreported?: Record<string, number>
    undecided?: string[]
    fields?: Record<string, Accepted['fields']>
  }
): Promise<Map<string, Submission>> {
  devnet.control.resume()
  const { engine, address } = await startEngine(t, devnet, { open: place.open })
  const accepted: Accepted[] = []
  for (const [feeId, submissionId] of Object.entries(ids)) {
    const submission = await engine.settled(submissionId, PATIENCE_MS)
    const txId = unreported[feeId]
    const known = txId !== undefined && submission.status === 'committed' && submission.txId === undefined
    const own = fields[feeId]
    accepted.push({
      feeId,
      ...(own && { fields: own }),
      submission: known ? { ...submission, txId } : submission
    })
  }
  const unknown = new RegExp(`^(?:${undecided.join('|')}): (?:gasUsed is|events is \\[\\])`)
  assertExactlyOnce(t, readChain(devnet, address), accepted, unknown)
  return new Map(accepted.map(({ feeId, submission }) => [feeId, submission]))
}
