import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { walletAddresses } from '../../../packages/devnet/wallets.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { chainBinary, type Sdk } from '../binary.ts'
import { type Genesis, newGenesis, successorGenesis } from './genesis.ts'
import { type CometKey, type Home, openHome } from './home.ts'
import { type RealNode, startNode } from './node.ts'
import { exportState } from './process.ts'
import { type ChainSettings, defaultNodeSettings, type NodePorts, type NodeSettings } from './settings.ts'

export type { RealNode } from './node.ts'
export type { NodeSettings } from './settings.ts'

const HOST = '127.0.0.1'

const FUNDS = '1000000000000uSERVICE'

/** A node waits this long after each block, even while it is behind: a follower must be faster than the validator. */
const FOLLOWER_WAIT_MS = 10

export type RealChain = Awaited<ReturnType<typeof createRealChain>>

/** Options of a chain. Accounts and whitelist entries are added to the public wallets. */
export interface RealChainOptions extends Partial<ChainSettings>, Partial<NodeSettings> {
  sdk: Sdk
  /** The nodes' data directory. If it contains a chain, the chain is continued. */
  directory: string
  /** Ports of the first node; random free ports by default. */
  ports?: Partial<NodePorts>
  /** An exported state from which to start the chain. */
  continues?: Genesis
}

/** Starts a chain and waits for its first block. @throws Error with the end of the node's log if it does not start */
export async function createRealChain(options: RealChainOptions) {
  const { sdk, directory, ports = {}, continues, accounts = [], whitelist = [], ...given } = options
  const binary = chainBinary(sdk)
  const addresses = walletAddresses('service')
  const settings = {
    ...defaultNodeSettings,
    chainId: 'service-real-1',
    maxBlockGas: 40_000_000,
    maxBlockBytes: 4_000_000,
    ...given,
    accounts: [...Object.values(addresses).map(address => ({ address, coins: FUNDS })), ...accounts],
    whitelist: [addresses.development, ...whitelist]
  }
  const nodes: RealNode[] = []

  async function startOne(home: Home, changed: Partial<NodeSettings>, chosen: Partial<NodePorts>) {
    const node = await startNode({
      binary,
      home,
      ports: { rpc: await freePort(HOST), rest: await freePort(HOST), p2p: await freePort(HOST), ...chosen },
      peers: nodes.slice(0, 1).map(({ peer }) => peer),
      settings: { ...settings, ...changed },
      authority: addresses.other
    })
    nodes.push(node)
    return node
  }

  const genesisFor = (validator: CometKey) =>
    continues
      ? successorGenesis(continues, settings.chainId, validator)
      : newGenesis(sdk, settings, validator)
  const home = await openHome(join(directory, 'validator'), genesisFor)
  const first = await startOne(home, {}, ports)

  return {
    ...first,
    sdk,
    chainId: home.genesis.chain_id,
    /** `development` may submit, `other` may change the consensus parameters and the whitelist. */
    addresses,
    /** Starts a full node that follows the first node, and waits until it has the newest block. */
    async addFollower(): Promise<RealNode> {
      const path = join(directory, `follower-${nodes.length}`)
      const settings = { blockTimeMs: FOLLOWER_WAIT_MS }
      const follower = await startOne(await openHome(path, () => home.genesis), settings, {})
      const newest = await first.height()
      await until(async () => (await follower.height()) >= newest, `the follower has block ${newest}`)
      return follower
    },
    /** Exports the state of a stopped node, for use as `continues` of another chain. */
    exportGenesis: (node: RealNode): Promise<Genesis> => exportState(binary, node.home),
    async close(): Promise<void> {
      await Promise.all(nodes.map(node => node.kill()))
    }
  }
}

/** Starts a chain that is killed when the test ends. */
export async function startRealChain(t: Test, options: Omit<RealChainOptions, 'directory'>) {
  const chain = await createRealChain({ ...options, directory: temporaryFolder(t) })
  t.teardown(chain.close)
  return chain
}
