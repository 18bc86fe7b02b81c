import { OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import { rpc } from '../../helpers/rpc.ts'
import { until } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { SLOW_BLOCKS, startEngineAtNode, waiting } from './engine-at-node.ts'

testEachBuild('executes pending transactions once even if the node loses its mempool', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, ...SLOW_BLOCKS })
  const { submitApart, assertExactlyOnce } = await startEngineAtNode(t, chain)
  await submitApart(3)
  // With SDK 0.47, the application keeps the transactions in its own mempool and still proposes them.
  await rpc(chain.urls.rpc, 'unsafe_flush_mempool')
  t.equal(await waiting(chain), 0)
  t.strictSame(await assertExactlyOnce(), { committed: 3 })
})

testEachBuild('executes pending transactions while the minimum fee rises and falls', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, ...SLOW_BLOCKS })
  const { submitMany, submitApart, settled, assertExactlyOnce } = await startEngineAtNode(t, chain)
  const pending = await submitApart(3)
  for (const minGasPrices of ['0.1uSERVICE', '0.12uSERVICE', '0.01uSERVICE']) {
    await chain.restart({ blockTimeMs: 300, minGasPrices })
    await settled([...pending, ...(await submitMany(3))])
  }
  t.strictSame(await assertExactlyOnce(), { committed: 12 })
})

/** No block until the node restarts again: the tests see what it does before its first one. */
const NO_BLOCKS = { blockTimeMs: 600_000 }

// Before its first block after a restart, a node runs CheckTx as if at height 0: without a gas limit and with account
// number 0.
testEachBuild('resends transactions that a restarted node accepted and dropped', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const { proxy, submitMany, settled, assertExactlyOnce } = await startEngineAtNode(t, chain)
  await settled(await submitMany(2))
  await chain.restart(NO_BLOCKS)
  const sent = proxy.calls('broadcast_tx_sync')
  await submitMany(3)
  await until(() => proxy.calls('broadcast_tx_sync') > sent, 'the node has checked the transaction')
  t.equal(await waiting(chain), 0, 'the mempool is empty')
  await chain.restart({ blockTimeMs: 300 })
  t.strictSame(await assertExactlyOnce(), { committed: 5 })
})

testEachBuild('waits while a restarted node rejects signatures until its next block', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const started = await startEngineAtNode(t, chain, { mnemonic: OTHER_WALLET })
  const { engine, submitMany, settled, untilBlocked, assertExactlyOnce } = started
  await settled(await submitMany(2))
  // The first restart may complete a block, after which the node accepts signatures.
  for (const _twice of [1, 2]) await chain.restart(NO_BLOCKS)
  await submitMany(3)
  t.match(await untilBlocked('signature-refused'), /please verify account number \(0\)/)
  await chain.restart({ blockTimeMs: 300 })
  t.strictSame(await assertExactlyOnce(), { committed: 5 })
  t.strictSame(engine.health().blockers, [])
})
