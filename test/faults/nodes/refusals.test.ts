import { type Rewrite, type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

/** Long enough that no node seems to lag on a busy machine, which would make the engine use the other node. */
const BLOCK_MS = 1000

const SEQUENCE = 'account sequence mismatch, expected 0, got 9: incorrect account sequence'

/** Refusals of a node that drops every transaction. */
const DROPPED: Record<string, RpcResult> = {
  'for its sequence': { code: 32, codespace: 'sdk', log: SEQUENCE },
  'for the wallet’s funds': { code: 5, codespace: 'sdk', log: 'insufficient funds' },
  'for its content': { code: 7, codespace: 'transaction', log: 'no' }
}

for (const [how, answer] of Object.entries(DROPPED)) {
  test(`the second node gets transactions that the first refuses ${how}`, async t => {
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
