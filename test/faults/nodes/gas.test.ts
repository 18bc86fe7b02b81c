import { fromBase64, toBase64 } from '@cosmjs/encoding'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { fastClock } from '../../helpers/clock.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

const isSimulation = (method: string, params: RpcResult) =>
  method === 'abci_query' && String(params['path']).endsWith('/Simulate')

/** Multiplies the gas of a successful simulation. */
function multiplied({ response }: RpcResult, factor: bigint): RpcResult | undefined {
  if (typeof response !== 'object' || response === null || !('value' in response)) return undefined
  const { value } = response
  if (typeof value !== 'string') return undefined
  const { gasInfo } = SimulateResponse.decode(fromBase64(value))
  const gasUsed = (gasInfo?.gasUsed ?? 0n) * factor
  const changed = SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo: { gasUsed } })).finish()
  return { response: { ...response, value: toBase64(changed) } }
}

function gasLimitOf(params: RpcResult): number {
  const { authInfoBytes } = TxRaw.decode(fromBase64(String(params['tx'])))
  return Number(AuthInfo.decode(authInfoBytes).fee?.gasLimit)
}

/** A node whose simulations report `factor` times the real gas, and the gas limits that it was sent. */
function overstating() {
  const node = { factor: 1n, gasLimits: [] as number[] }
  const rewrite: Rewrite = (method, result, params) => {
    if (method === 'broadcast_tx_sync') node.gasLimits.push(gasLimitOf(params))
    return isSimulation(method, params) ? multiplied(result, node.factor) : undefined
  }
  return Object.assign(node, { rewrite })
}

test('refuses nothing while the only node overstates the gas fiftyfold from the first start', async t => {
  const node = overstating()
  node.factor = 50n
  const { submit, submitMany, engine, assertExactlyOnce } = await startFaultyNetwork(t, {
    engine: { clock: fastClock(10) },
    nodes: async ({ rpc }) => [await startRewritingNode(t, rpc, node.rewrite)]
  })
  await submit()
  await submitMany(15)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 16 }, 'a block decides')
  t.strictSame(engine.health().blockers, [])
})

test('pays nothing while the only node overstates the gas of all requests, and reports that', async t => {
  const node = overstating()
  node.factor = 200n
  const { submitMany, submit, engine, untilBlocked, assertExactlyOnce, blocks } = await startFaultyNetwork(
    t,
    {
      nodes: async ({ rpc }) => [await startRewritingNode(t, rpc, node.rewrite)]
    }
  )
  await submitMany(15)
  t.match(await untilBlocked('gas-too-high'), /the wallet's own request needs \d+ gas, above 2000000/)
  await submit()
  await blocks(20)
  t.strictSame(node.gasLimits, [])
  node.factor = 1n
  t.strictSame(tally(await assertExactlyOnce()), { committed: 16 })
  await until(() => engine.health().blockers.length === 0, 'the blocker is cleared')
})

for (const [what, isOnly] of [
  ['it is the only one', true],
  ['the second one does not respond', false]
] as const) {
  test(`pays at most twice the usual gas while a node overstates it and ${what}`, async t => {
    const node = overstating()
    let isSilent = false
    const { submitApart, settled, assertExactlyOnce } = await startFaultyNetwork(t, {
      nodes: async ({ rpc }) => {
        /** Removes the response from the result. */
        const silent: Rewrite = (method, _result, params) =>
          isSilent && isSimulation(method, params) ? {} : undefined
        const first = await startRewritingNode(t, rpc, node.rewrite)
        return isOnly ? [first] : [first, await startRewritingNode(t, rpc, silent)]
      }
    })
    await settled(await submitApart(3))
    const usual = Math.max(...node.gasLimits)
    isSilent = true
    node.factor = 21n
    await settled(await submitApart(3))
    t.strictSame(tally(await assertExactlyOnce()), { committed: 6 })
    const highest = Math.max(...node.gasLimits)
    t.ok(highest > usual && highest <= 2 * usual, `${highest} instead of ${usual}`)
  })
}

test('pays more than twice the usual gas if two nodes agree on it, and reports that for an hour', async t => {
  const node = overstating()
  const { submitApart, settled, untilBlocked } = await startFaultyNetwork(t, {
    nodes: ({ rpc }) => Promise.all([1, 2].map(() => startRewritingNode(t, rpc, node.rewrite)))
  })
  await settled(await submitApart(2))
  node.factor = 3n
  await settled(await submitApart(1))
  t.match(await untilBlocked('fees-risen'), /^1 messages need \d+ gas, as 127\.0\.0\.1:\d+ reports$/)
})
