import type { Test } from 'tap'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { walletAddresses } from '../../../packages/devnet/wallets.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import type { Sdk } from '../binary.ts'
import { type ChainSettings, writeHome } from './home.ts'
import { type NodeSettings, startNode } from './node.ts'

const HOST = '127.0.0.1'

const FUNDS = '1000000000000uSERVICE'

export type RealChain = Awaited<ReturnType<typeof startRealChain>>

/** Options of a chain. Accounts are added to the public wallets. */
interface RealChainOptions extends Partial<ChainSettings>, Partial<NodeSettings> {
  sdk: Sdk
}

/** Starts a chain with one node and waits for its first block. @throws Error with the end of the node's log */
export async function startRealChain(t: Test, options: RealChainOptions) {
  const { sdk, accounts = [], ...given } = options
  const addresses = walletAddresses('service')
  const settings = {
    blockTimeMs: 300,
    minGasPrices: '0.025uSERVICE',
    mempoolSize: 5000,
    minRetainBlocks: 0,
    maxBlockGas: 40_000_000,
    maxBlockBytes: 4_000_000,
    ...given,
    accounts: [...Object.values(addresses).map(address => ({ address, coins: FUNDS })), ...accounts]
  }
  const home = temporaryFolder(t)
  writeHome(home, settings)
  const ports = { rpc: await freePort(HOST), rest: await freePort(HOST), p2p: await freePort(HOST) }
  const node = await startNode(t, sdk, home, ports, settings)
  return { ...node, accounts: settings.accounts, addresses }
}
