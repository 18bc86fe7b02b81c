import { txHash } from '../../devnet/chain/hashes.ts'
import { json, serve } from '../helpers/local-server.ts'
import { type Test, test } from '../helpers/tap.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

test('transactions that a node says it took and has lost, with and without their hashes in its cache', async t => {
  const { control, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const cached of [false, true]) {
    control.dropNext({ count: 2, cached })
    await settled(await submitMany(5))
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 10 })
})

test('a predecessor that is lost while its follower is included and fails', async t => {
  const { control, submitApart, assertExactlyOnce } = await startFaultyNetwork(t)
  control.pause()
  control.dropNext({ count: 1, cached: true })
  await submitApart(2)
  control.resume()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
})

test('a mempool that is full, then has room', async t => {
  const { control, blocks, submitMany, engine, assertExactlyOnce } = await startFaultyNetwork(t)
  control.setMempoolSize(0)
  const [first] = await submitMany(5)
  await blocks(4)
  t.match(await engine.find(first?.submissionId ?? ''), { status: /queued|broadcast/ })
  control.setMempoolSize(5000)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 5 })
})

/** A node whose mempool holds no more than that many bytes. */
async function startSmallMempool(t: Test, target: string, max: number): Promise<string> {
  const { url } = await serve(t, async ({ method: verb, body }, response) => {
    if (verb !== 'POST') return json(response, {}, 404)
    const { id, method, params } = JSON.parse(body)
    if (method === 'broadcast_tx_sync' && Buffer.from(params.tx, 'base64').length > max) {
      const data = `mempool is full: number of txs 0 (max: 5000), total txs bytes 0 (max: ${max})`
      return json(response, { jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error', data } })
    }
    const answer = await fetch(target, { method: 'POST', body }).catch(() => undefined)
    json(response, answer ? await answer.json() : {}, answer?.status ?? 502)
  })
  return url
}

test('transactions that are larger than a mempool', async t => {
  const { blocks, submitMany, assertExactlyOnce } = await startFaultyNetwork(t, {
    nodes: async ({ rpc }) => [await startSmallMempool(t, rpc, 4000)]
  })
  await submitMany(30)
  await blocks(2)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 30 })
})

test('a node that restarts with an empty mempool', async t => {
  const { control, submitApart, assertExactlyOnce } = await startFaultyNetwork(t)
  control.pause()
  await submitApart(4)
  control.restart()
  control.resume()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 4 })
})

test('the eviction of the first pending transaction, of one in the middle and of the last', async t => {
  const { control, devnet, submitApart, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const place of [0, 1, 3]) {
    control.pause()
    const submissions = await submitApart(4)
    const evicted = devnet.chain.mempool.list(10)[place]
    t.ok(evicted && control.evict(txHash(evicted)))
    t.equal(devnet.chain.mempool.size, place)
    control.resume()
    await settled(submissions)
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 12 })
})
