import { fromBase64, toBase64 } from '@cosmjs/encoding'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { readChainOverRpc } from '../../helpers/oracle/index.ts'
import { type Rewrite, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { rpc } from '../../helpers/rpc.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { SLOW_BLOCKS, startEngineAtNode, waiting } from './engine-at-node.ts'

testEachBuild('waits while the mempool is full of the engine’s own transactions', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, mempoolSize: 1, maxBlockGas: 1_200_000 })
  const { log, entries } = keepingLog()
  const { submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain, { log })
  await submitMany(30)
  t.strictSame(await assertExactlyOnce(), { committed: 30 })
  t.ok(entries.some(({ fields }) => JSON.stringify(fields).includes('mempool is full')))
})

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
  const url = await startRewritingNode(t, chain.urls.rpc, understated)
  const atNode = { ...chain, urls: { ...chain.urls, rpc: url } }
  const { address, submitMany, assertExactlyOnce } = await startEngineAtNode(t, atNode)
  await submitMany(6)
  t.strictSame(await assertExactlyOnce(), { committed: 6 })
  const { failures } = await readChainOverRpc(chain.urls.rpc, address)
  t.ok(failures.includes(OUT_OF_GAS))
})
