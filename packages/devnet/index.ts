import { createBitcoinChain } from './bitcoin/chain.ts'
import { createEsploraServer } from './bitcoin/index.ts'
import { createBitcoinPool } from './bitcoin/pool.ts'
import { devnetNames } from './brand.ts'
import { createChain } from './chain/index.ts'
import { chainDefaults } from './chain/options.ts'
import { createComplianceServer } from './compliance/index.ts'
import { createControl } from './control/index.ts'
import { controlRoute, type Faults } from './control/route.ts'
import { serverEnv } from './env.ts'
import { createFeeServer } from './fees/index.ts'
import { createIndexServer } from './graphql/index.ts'
import type { ListenOptions } from './http-server.ts'
import { createKycServer } from './kyc/index.ts'
import { createLedger } from './ledger.ts'
import { createTransferModule } from './modules/transfer/index.ts'
import { liquidityRecords } from './modules/transfer/liquidity.ts'
import { createSettlement } from './modules/transfer/settlement.ts'
import { type DevnetOptions, defaultOptions } from './options.ts'
import { createRestServer } from './rest/index.ts'
import { createRpcServer } from './rpc/index.ts'
import { startServers } from './servers.ts'
import { walletAddresses } from './wallets.ts'

/** The balance of each wallet in base units of the fee denomination. */
const FUNDS = 1_000_000_000_000n

export type Devnet = Awaited<ReturnType<typeof startDevnet>>

/**
 * Starts a development network, each server on its own port. Resolves after the first block.
 * @throws the system's error when a port is in use; servers already started are stopped first
 */
export async function startDevnet(given: Partial<DevnetOptions> = {}) {
  const options: DevnetOptions = { ...defaultOptions, ...given }
  const names = devnetNames(options.brand)
  const { prefix, denom } = names
  const { minGasPrice, genesis } = options
  const addresses = walletAddresses(prefix)
  const transfers = createTransferModule(options.brand, prefix, [addresses.development])
  const chain = createChain(
    {
      ...chainDefaults,
      ...options,
      genesis: genesis ?? {
        chainId: names.chainId,
        accounts: Object.values(addresses).map(address => ({ address, coins: [{ denom, amount: FUNDS }] }))
      },
      prefix,
      feeDenom: denom
    },
    [transfers]
  )
  const bitcoin = createBitcoinChain()
  const bitcoinPool = createBitcoinPool(() => urls.bitcoin)
  // Load viem only if it is used, because it takes a while.
  const evm =
    options.evm.length === 0
      ? undefined
      : await (await import('./evm/index.ts')).startEvmChains({ names: options.evm, host: options.host })
  const ledger = createLedger(
    chain,
    liquidityRecords(addresses.development),
    createSettlement(chain, [bitcoinPool, ...(evm ? [evm.account] : [])]),
    evm?.account.balances
  )
  chain.start()
  const control = createControl({ chain, prefix, feeDenom: denom })
  const { killServer } = options
  const faults: Faults = {
    lie: () => chain.afterNextSubmit(chain.drop),
    ...(killServer && { kill: () => chain.afterNextSubmit(killServer) })
  }
  // The servers get their ports in this order.
  const starters = {
    rpc: (at: ListenOptions) => createRpcServer(chain, at),
    rest: (at: ListenOptions) => createRestServer(ledger, names, controlRoute(chain, faults), at),
    graphql: (at: ListenOptions) => createIndexServer(ledger, names, at),
    fees: (at: ListenOptions) => createFeeServer(names, at),
    compliance: createComplianceServer,
    kyc: createKycServer,
    bitcoin: (at: ListenOptions) => createEsploraServer(bitcoin, at)
  }
  const servers = await startServers(starters, options).catch(async error => {
    chain.stop()
    await evm?.stop()
    throw error
  })
  const urls = { ...servers.urls, ...(options.bitcoinUrl !== undefined && { bitcoin: options.bitcoinUrl }) }
  const mining = options.bitcoinBlockMs && setInterval(bitcoin.mine, options.bitcoinBlockMs)
  return {
    chain,
    bitcoin,
    control,
    urls,
    /** Chain addresses of the public wallets. `development` is whitelisted, `other` is not. */
    addresses,
    /** The chains that are real EVM nodes. */
    evm,
    env: () => serverEnv(urls, names, minGasPrice, evm?.chains),
    async close(): Promise<void> {
      chain.stop()
      clearInterval(mining)
      await Promise.all([servers.close(), evm?.stop()])
    }
  }
}

/** Returns the URLs of the network's servers and EVM nodes, by name. */
export function addressesOf({ urls, evm }: Devnet): [name: string, url: string][] {
  const nodes = Object.fromEntries(
    (evm?.chains ?? []).map(node => [node.shortName, `${node.url}  ${node.name}, chain id ${node.chainId}`])
  )
  return Object.entries({ ...urls, ...nodes })
}
