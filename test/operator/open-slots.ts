import type { Test } from 'tap'
import type { Devnet } from '../../packages/devnet/index.ts'
import type { Submission } from '../../services/submission/contract.ts'
import { startNetwork } from '../helpers/app.ts'
import type { StorePlace } from '../helpers/durable-stores.ts'
import { startEngine, transferRequest } from '../helpers/engine-at.ts'
import { type Accepted, assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

/**
 * Creates a network and the store of a stopped server that has not read the newest block:
 *  - `done` is committed in slot 0;
 *  - `executed` is in slot 1, which the newest block consumed;
 *  - `open` is in slot 2, which no block consumed;
 *  - `queued` is not in a slot.
 */
export async function storeWithOpenSlots(t: Test, place: StorePlace) {
  const devnet = await startNetwork(t)
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
  await until(() => devnet.chain.mempool.size === 1, 'the node has the open slot’s transaction')
  devnet.control.setMempoolSize(1)
  const open = await inSlot('open')
  await stop()

  const ids = { done: done.submissionId, executed, open, queued: 'id-queued' }
  const offline = await place.open(address)
  await offline.take([{ ...transferRequest('queued', { creator: address }), submissionId: ids.queued }])
  await offline.close()
  devnet.control.setMempoolSize(5000)
  devnet.control.produceBlocks(1)
  return { devnet, address, ids }
}

/** Starts a server on the store, waits for every submission and compares the results with the chain. */
export async function assertAllExecutedOnce(
  t: Test,
  devnet: Devnet,
  { place, ids }: { place: StorePlace; ids: Record<string, string> }
): Promise<Map<string, Submission>> {
  devnet.control.resume()
  const { engine, address } = await startEngine(t, devnet, { open: place.open })
  const accepted: Accepted[] = []
  for (const [feeId, submissionId] of Object.entries(ids)) {
    accepted.push({ feeId, submission: await engine.settled(submissionId, PATIENCE_MS) })
  }
  assertExactlyOnce(t, readChain(devnet, address), accepted)
  return new Map(accepted.map(({ feeId, submission }) => [feeId, submission]))
}
