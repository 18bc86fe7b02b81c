import { fromBase64, toBase64 } from '@cosmjs/encoding'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { type Rewrite, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

/** A node whose simulations report `factor` times the real gas, and the number of transactions that it was sent. */
function overstating(factor = 1) {
  const node = { factor, sent: 0 }
  const rewrite: Rewrite = (method, { response }, params) => {
    if (method === 'broadcast_tx_sync') node.sent += 1
    const { value } = Object(response)
    const isSimulation = method === 'abci_query' && String(params['path']).endsWith('/Simulate')
    if (!isSimulation || typeof value !== 'string') return undefined
    const simulated = SimulateResponse.decode(fromBase64(value))
    if (simulated.gasInfo) simulated.gasInfo.gasUsed *= BigInt(node.factor)
    return { response: { ...Object(response), value: toBase64(SimulateResponse.encode(simulated).finish()) } }
  }
  return Object.assign(node, { rewrite })
}

test('pays nothing while the only node overstates all gas, and reports it', async t => {
  const node = overstating(200)
  const { submitMany, submit, engine, untilBlocked, assertExactlyOnce, blocks } = await startFaultyNetwork(
    t,
    { nodes: async ({ rpc }) => [await startRewritingNode(t, rpc, node.rewrite)] }
  )
  await submitMany(15)
  t.match(await untilBlocked('gas-too-high'), /the control message needs \d+ gas, above 2000000/)
  await submit()
  await blocks(20)
  t.equal(node.sent, 0)
  node.factor = 1
  t.strictSame(tally(await assertExactlyOnce()), { committed: 16 })
  await until(() => engine.health().blockers.length === 0, 'the blocker is cleared')
})

test('pays over twice the usual gas if two nodes agree, and reports it for an hour', async t => {
  const node = overstating()
  const { submitApart, settled, untilBlocked } = await startFaultyNetwork(t, {
    nodes: ({ rpc }) => Promise.all([1, 2].map(() => startRewritingNode(t, rpc, node.rewrite)))
  })
  await settled(await submitApart(2))
  node.factor = 3
  await settled(await submitApart(1))
  t.match(
    await untilBlocked('fees-risen'),
    /^127\.0\.0\.1:\d+ reports \d+ gas for a transaction with 1 message\(s\)$/
  )
})
