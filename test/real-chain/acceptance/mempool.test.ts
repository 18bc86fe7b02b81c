import { OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { rpc } from '../../helpers/rpc.ts'
import type { Test } from '../../helpers/tap.ts'
import { testEachBuild } from '../harness/builds.ts'
import { type RealChain, startRealChain } from '../harness/index.ts'
import { openForeignWallet, sendBehind } from '../harness/transactions.ts'
import { SLOW_BLOCKS, startEngineAtNode, tally, waiting } from './engine-at-node.ts'

async function fill(t: Test, chain: RealChain): Promise<void> {
  const wallet = await openForeignWallet(chain, OTHER_WALLET)
  const sendAll = async () => {
    for (;;) await sendBehind(wallet)
  }
  await t.rejects(sendAll(), { message: /mempool is full/ })
}

function logOfBroadcasts() {
  const { log, entries } = keepingLog()
  return {
    log,
    wasFull: () => entries.some(({ fields }) => JSON.stringify(fields).includes('mempool is full'))
  }
}

testEachBuild('waits while the mempool is full of other transactions', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, mempoolSize: 4, blockTimeMs: 1000 })
  const { log, wasFull } = logOfBroadcasts()
  const { submit, assertExactlyOnce } = await startEngineAtNode(t, chain, { log })
  let submitted = 0
  for (; !wasFull(); submitted++) {
    await fill(t, chain)
    await submit()
  }
  await chain.blocks(1)
  await fill(t, chain)
  t.strictSame(tally(await assertExactlyOnce()), { committed: submitted })
})

testEachBuild('waits while the mempool is full of the engine’s own transactions', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, mempoolSize: 1, maxBlockGas: 1_200_000 })
  const { log, wasFull } = logOfBroadcasts()
  const { submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain, { log })
  await submitMany(30)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 30 })
  t.ok(wasFull())
})

testEachBuild('executes pending transactions once even if the node loses its mempool', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, ...SLOW_BLOCKS })
  const { submitApart, assertExactlyOnce } = await startEngineAtNode(t, chain)
  await submitApart(3)
  // With SDK 0.47, the application keeps the transactions in its own mempool and still proposes them.
  await rpc(chain.urls.rpc, 'unsafe_flush_mempool')
  t.equal(await waiting(chain), 0)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 3 })
})
