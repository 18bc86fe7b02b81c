import { fromBase64, toBase64 } from '@cosmjs/encoding'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { readChainOverRpc } from '../../helpers/oracle/index.ts'
import { type Rewrite, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { startEngineAtNode, tally } from './engine-at-node.ts'

const OUT_OF_GAS = 11

/** Simulations report so little gas that the engine's margin does not suffice. */
const understated: Rewrite = (method, result, params) => {
  const { value, ...rest } = Object(result['response'])
  if (method !== 'abci_query' || !String(params['path']).endsWith('/Simulate') || !value) return undefined
  const { gasInfo } = SimulateResponse.decode(fromBase64(value))
  const gasUsed = ((gasInfo?.gasUsed ?? 0n) * 3n) / 5n
  const simulated = SimulateResponse.fromPartial({ gasInfo: { gasUsed } })
  return { response: { ...rest, value: toBase64(SimulateResponse.encode(simulated).finish()) } }
}

testEachBuild('retries transactions that run out of gas in a block', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const rpc = await startRewritingNode(t, chain.urls.rpc, understated)
  const atNode = { ...chain, urls: { ...chain.urls, rpc } }
  const { address, submitMany, assertExactlyOnce } = await startEngineAtNode(t, atNode)
  await submitMany(6)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6 })
  const { failures } = await readChainOverRpc(chain.urls.rpc, address)
  t.ok(failures.includes(OUT_OF_GAS))
})
