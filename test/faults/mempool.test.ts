import { getAccount } from '../../packages/devnet/modules/auth/accounts.ts'
import { fastClock } from '../helpers/clock.ts'
import { json, serve } from '../helpers/local-server.ts'
import { startRewritingNode } from '../helpers/rewriting-node.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

test('transactions that a node says it took and has lost, with and without their hashes in its cache', async t => {
  const { control, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const cached of [false, true]) {
    control.dropNext({ count: 2, cached })
    await settled(await submitMany(5))
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 10 })
})

/** A node that responds with the error `data` to transactions of more than `max` bytes, and only to those. */
async function startSmallMempool(
  t: Test,
  target: string,
  max: number,
  data = `mempool is full: number of txs 0 (max: 5000), total txs bytes 0 (max: ${max})`
): Promise<string> {
  const { url } = await serve(t, async ({ method: verb, body }, response) => {
    if (verb !== 'POST') return json(response, {}, 404)
    const { id, method, params } = JSON.parse(body)
    if (method === 'broadcast_tx_sync' && Buffer.from(params.tx, 'base64').length > max) {
      return json(response, { jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error', data } })
    }
    const answer = await fetch(target, { method: 'POST', body }).catch(() => undefined)
    json(response, answer ? await answer.json() : {}, answer?.status ?? 502)
  })
  return url
}

for (const words of [undefined, 'Tx too large. Max size is 4000, but got 9000', 'computer says no']) {
  test(`transactions that are larger than a mempool, which says: ${words ?? 'it is full'}`, async t => {
    const { blocks, submitMany, assertExactlyOnce } = await startFaultyNetwork(t, {
      nodes: async ({ rpc }) => [await startSmallMempool(t, rpc, 4000, words)]
    })
    await submitMany(30)
    await blocks(2)
    t.strictSame(tally(await assertExactlyOnce()), { committed: 30 })
  })
}

/** 15 kB for the chain, about as much as the longest options that the interface accepts. */
const long = { originSymbol: 'x'.repeat(15_000) }

test('submissions that are larger than a block together', async t => {
  const network = { maxBlockBytes: 200_000n, maxBlockGas: 4_000_000_000n }
  const { devnet, submit, address, assertExactlyOnce } = await startFaultyNetwork(t, { network })
  await Promise.all(Array.from({ length: 60 }, () => submit(long)))
  t.strictSame(tally(await assertExactlyOnce()), { committed: 60 })
  const { sequence } = getAccount(devnet.chain.state, address) ?? {}
  t.ok(Number(sequence) < 60, `${sequence} transactions: they share some`)
})

test('submissions that are larger than a block together, where the node says nothing of its limit', async t => {
  const network = { maxBlockBytes: 100_000n, maxBlockGas: 4_000_000_000n }
  const { submit, assertExactlyOnce } = await startFaultyNetwork(t, {
    network,
    nodes: async ({ rpc }) => [
      await startRewritingNode(t, rpc, method =>
        method === 'consensus_params'
          ? { consensus_params: { block: { max_gas: '-1', max_bytes: '-1' } } }
          : undefined
      )
    ]
  })
  await Promise.all(Array.from({ length: 30 }, () => submit(long)))
  t.strictSame(tally(await assertExactlyOnce()), { committed: 30 })
})

test('a submission that is larger than a block alone is rejected in the end, and the others are executed', async t => {
  const { engine, submit, submitMany, assertExactlyOnce } = await startFaultyNetwork(t, {
    network: { maxBlockBytes: 12_000n },
    engine: { clock: fastClock(20) },
    pacedBlocks: true
  })
  const [, large] = await Promise.all([
    submitMany(3),
    submit(long, /^sdk 21: .*tx size is too big/),
    submitMany(3)
  ])
  // The engine's own waits are as fast as its clock.
  const decided = await until(async () => {
    const submission = await engine.find(large.submissionId)
    return submission?.status === 'rejected' && submission
  }, 'the large one is rejected')
  t.match(decided.error, { code: 21, codespace: 'sdk', message: /tx size is too big/ })
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6, rejected: 1 })
})
