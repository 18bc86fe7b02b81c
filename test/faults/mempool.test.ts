import { fastClock } from '../helpers/clock.ts'
import { startRewritingNode } from '../helpers/rewriting-node.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

test('resends transactions that a node accepted and then lost, with and without their hashes in the node’s cache', async t => {
  const { control, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const cached of [false, true]) {
    control.dropNext({ count: 2, cached })
    await settled(await submitMany(5))
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 10 })
})

/** Maximum transaction size of a small mempool, in bytes. */
const MOST_BYTES = 4000

for (const refusal of [
  `mempool is full: number of txs 0 (max: 5000), total txs bytes 0 (max: ${MOST_BYTES})`,
  `Tx too large. Max size is ${MOST_BYTES}, but got 9000`,
  'computer says no'
]) {
  test(`halves transactions that are larger than a mempool when the node responds with: ${refusal}`, async t => {
    const { proxy, blocks, submitMany, assertExactlyOnce } = await startFaultyNetwork(t)
    proxy.fail('broadcast_tx_sync', {
      kind: 'rpc-error',
      data: ({ tx }) => (Buffer.from(String(tx), 'base64').length > MOST_BYTES ? refusal : undefined)
    })
    await submitMany(30)
    await blocks(2)
    t.strictSame(tally(await assertExactlyOnce()), { committed: 30 })
  })
}

/** Options whose encoding takes 15 kB, about the longest that the interface accepts. */
const long = { originSymbol: 'x'.repeat(15_000) }

test('splits a batch that is larger than a block when the node reports no limit', async t => {
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

test('rejects a single submission that is larger than a block, and executes the others', async t => {
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
  // Polls the engine from outside, because timeouts inside the engine follow its accelerated clock.
  const decided = await until(async () => {
    const submission = await engine.find(large.submissionId)
    return submission?.status === 'rejected' && submission
  }, 'the oversized submission is rejected')
  t.match(decided.error, { code: 21, codespace: 'sdk', message: /tx size is too big/ })
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6, rejected: 1 })
})
