import type { Test } from 'tap'
import type { Genesis } from '../../../devnet/chain/genesis.ts'
import { startDevnet } from '../../../devnet/index.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { createRealChain } from '../harness/index.ts'
import { account, CHAIN_ID, DENOM, GENESIS_ACCOUNTS } from './accounts.ts'
import { GAS_PRICE, MEMPOOL_SIZE } from './limits.ts'
import { at, type Network, openNetwork } from './network.ts'

const BLOCK_TIME_MS = 500

/** Starts a node and a devnet with one genesis and the same limits. */
export async function startNetworks(
  t: Test,
  sdk: Network['sdk']
): Promise<{ devnet: Network; node: Network }> {
  const real = await createRealChain({
    sdk,
    directory: temporaryFolder(t),
    chainId: CHAIN_ID,
    accounts: GENESIS_ACCOUNTS,
    whitelist: [account('development').address],
    maxBlockGas: 40_000_000,
    maxBlockBytes: 200_000,
    blockTimeMs: BLOCK_TIME_MS,
    minGasPrices: `${GAS_PRICE}${DENOM}`,
    mempoolSize: MEMPOOL_SIZE
  })
  t.teardown(() => real.close())
  const node = openNetwork(real.urls.rpc, { sdk, chainId: CHAIN_ID })
  return { node, devnet: await startDevnetBeside(t, node) }
}

async function startDevnetBeside(t: Test, node: Network): Promise<Network> {
  const { body } = await node.call('genesis')
  const genesis = at(body, 'result', 'genesis')
  if (!isGenesis(genesis)) throw new Error('the node has no genesis')
  const devnet = await startDevnet({
    genesis,
    sdk: node.sdk,
    blockTimeMs: BLOCK_TIME_MS,
    minGasPrice: GAS_PRICE,
    feeDenom: DENOM
  })
  t.teardown(() => devnet.close())
  devnet.control.setMempoolSize(MEMPOOL_SIZE)
  return openNetwork(devnet.urls.rpc, node)
}

function isGenesis(value: unknown): value is Genesis {
  return typeof value === 'object' && value !== null
}
