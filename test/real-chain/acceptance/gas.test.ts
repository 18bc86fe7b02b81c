import { OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import { readChainOverRpc } from '../../helpers/oracle/index.ts'
import { testEachBuild } from '../harness/builds.ts'
import { type RealChain, startRealChain } from '../harness/index.ts'
import { blockGasMessage, openForeignWallet } from '../harness/transactions.ts'
import { startEngineAtNode, tally } from './engine-at-node.ts'

const OUT_OF_GAS = 11

/** Changes the block gas limit, effective from the block after the next. */
async function setBlockGas(chain: RealChain, gas: number) {
  const authority = await openForeignWallet(chain, OTHER_WALLET)
  return authority.send([await blockGasMessage(chain.urls.rpc, authority.address, gas)])
}

testEachBuild('retries transactions that run out of gas in a block', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const settings = { gasMultiplier: '1' }
  const { address, submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain, { settings })
  await submitMany(6)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6 })
  const { failures } = await readChainOverRpc(chain.urls.rpc, address)
  t.ok(failures.includes(OUT_OF_GAS))
})

testEachBuild('adapts when the block gas limit is lowered and raised again', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, blockTimeMs: 1000 })
  const { submitMany, submitApart, settled, assertExactlyOnce } = await startEngineAtNode(t, chain)
  await settled(await submitMany(20))
  await setBlockGas(chain, 300_000)
  await submitApart(1)
  await settled(await submitMany(20))
  await setBlockGas(chain, 40_000_000)
  await submitMany(20)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 61 })
})
