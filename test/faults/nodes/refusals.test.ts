import { type Rewrite, type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

/** Long enough that no node appears to lag on a busy machine. The engine would switch away from a lagging node. */
const BLOCK_MS = 1000

const SEQUENCE = 'account sequence mismatch, expected 0, got 9: incorrect account sequence'

/** CheckTx responses of a node that refuses every transaction. */
const DROPPED: Record<string, RpcResult> = {
  'because of its sequence': { code: 32, codespace: 'sdk', log: SEQUENCE },
  'because of the wallet balance': { code: 5, codespace: 'sdk', log: 'insufficient funds' },
  'because of its content': { code: 7, codespace: 'transaction', log: 'no' }
}

for (const [how, answer] of Object.entries(DROPPED)) {
  test(`sends a transaction to the second node when the first refuses it ${how}`, async t => {
    let isLying = false
    const lie: Rewrite = method =>
      method === 'broadcast_tx_sync' && isLying ? { data: '', hash: 'AB', ...answer } : undefined
    const { submit, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t, {
      network: { blockTimeMs: BLOCK_MS },
      nodes: async ({ rpc }) => [await startRewritingNode(t, rpc, lie, ['broadcast_tx_sync']), rpc]
    })
    await settled([await submit()])
    isLying = true
    await settled(await submitMany(3))
    t.strictSame(tally(await assertExactlyOnce()), { committed: 4 })
  })
}
