import type { Test } from 'tap'
import type { Genesis } from '../../../packages/devnet/chain/genesis.ts'
import { startDevnet } from '../../../packages/devnet/index.ts'
import { until } from '../../helpers/until.ts'
import type { Sdk } from '../binary.ts'
import { type RealChainOptions, startRealChain } from '../harness/index.ts'
import { CHAIN_ID, DENOM, GENESIS_ACCOUNTS } from './accounts.ts'
import { GAS_PRICE, MEMPOOL_SIZE } from './limits.ts'
import { at, type Network, openNetwork } from './network.ts'

/** Both networks, with one genesis and the same limits. */
export interface Networks {
  readonly devnet: Network
  readonly node: Network
}

/** Above the heights that conversations name. */
const FIRST_HEIGHT = 5

/** Starts both and waits for some blocks. */
export async function startNetworks(t: Test, sdk: Sdk): Promise<Networks> {
  const { devnet, node } = await start(t, { sdk, blockTimeMs: 500 })
  for (const network of [devnet, node]) {
    await until(async () => (await network.height()) >= FIRST_HEIGHT, `block ${FIRST_HEIGHT} is made`)
  }
  return { devnet, node }
}

const RETAINED = 3

/** Starts both and waits until neither has its first blocks any more. */
export async function startPrunedNetworks(t: Test, sdk: Sdk): Promise<Networks> {
  const { devnet, node, control } = await start(t, { sdk, blockTimeMs: 500, minRetainBlocks: RETAINED })
  for (const network of [devnet, node]) {
    await until(async () => (await network.height()) >= 2 * FIRST_HEIGHT, 'there are blocks enough')
  }
  control.prune(2 * FIRST_HEIGHT - RETAINED)
  return { devnet, node }
}

async function start(t: Test, options: Omit<RealChainOptions, 'directory'> & { blockTimeMs: number }) {
  const { sdk, blockTimeMs } = options
  const real = await startRealChain(t, {
    chainId: CHAIN_ID,
    accounts: GENESIS_ACCOUNTS,
    maxBlockBytes: 200_000,
    minGasPrices: `${GAS_PRICE}${DENOM}`,
    mempoolSize: MEMPOOL_SIZE,
    ...options
  })
  const node = openNetwork(real.urls.rpc, { sdk, chainId: CHAIN_ID })
  const { body } = await node.call('genesis')
  const genesis = at(body, 'result', 'genesis')
  if (!isGenesis(genesis)) throw new Error('the node has no genesis')
  const beside = await startDevnet({ genesis, sdk, blockTimeMs, minGasPrice: GAS_PRICE, feeDenom: DENOM })
  t.teardown(() => beside.close())
  beside.control.setMempoolSize(MEMPOOL_SIZE)
  return { node, devnet: openNetwork(beside.urls.rpc, node), control: beside.control }
}

function isGenesis(value: unknown): value is Genesis {
  return typeof value === 'object' && value !== null
}
