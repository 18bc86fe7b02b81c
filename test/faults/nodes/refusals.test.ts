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
  test(`one of two nodes drops every transaction and refuses it ${how}: the other one executes it`, async t => {
    let isLying = false
    const lie: Rewrite = async (method, _result, params) => {
      if (isLying) return { data: '', hash: 'AB', ...answer }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await fetch(node, { method: 'POST', body })
      return ((await response.json()) as { result: RpcResult }).result
    }
    let node = ''
    const { submit, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t, {
      network: { blockTimeMs: BLOCK_MS },
      async nodes({ rpc }) {
        node = rpc
        const rewrite: Rewrite = (method, ...rest) =>
          method === 'broadcast_tx_sync' ? lie(method, ...rest) : undefined
        return [await startRewritingNode(t, rpc, rewrite, ['broadcast_tx_sync']), rpc]
      }
    })
    await settled([await submit()])
    isLying = true
    await settled(await submitMany(3))
    t.strictSame(tally(await assertExactlyOnce()), { committed: 4 })
  })
}
