import type { Chain } from 'viem'
import * as viem from 'viem/chains'
import type { Environment } from '../addresses/index.ts'
import { fieldError } from '../errors/index.ts'
import type { CatalogueChain, ShortName } from './families.ts'
import { otherChains } from './other-chains.ts'

export type ChainLocation = 'origin' | 'target'

/** The chains that viem supports: the EVM chains, and Tron, which has an EVM chain id but its own kind of wallet. */
const networks: [shortName: ShortName, mainnet: Chain, testnet: Chain][] = [
  ['ARB', viem.arbitrum, viem.arbitrumSepolia],
  ['AVX', viem.avalanche, viem.avalancheFuji],
  ['BASE', viem.base, viem.baseSepolia],
  ['BERA', viem.berachain, viem.berachainBepolia],
  ['BSC', viem.bsc, viem.bscTestnet],
  ['CFX', viem.confluxESpace, viem.confluxESpaceTestnet],
  ['ETH', viem.mainnet, viem.sepolia],
  ['OPT', viem.optimism, viem.optimismSepolia],
  ['POL', viem.polygon, viem.polygonAmoy],
  ['TRX', viem.tron, viem.tronNile],
  ['WLD', viem.worldchain, viem.worldchainSepolia]
]

/** The chains of each environment by short name (interface 4.4), without `FIAT` (interface 4.2). */
export const catalogue: Record<Environment, readonly CatalogueChain[]> = {
  mainnet: chainsOf('mainnet'),
  testnet: chainsOf('testnet')
}

export function catalogueChain(environment: Environment, shortName: string): CatalogueChain | undefined {
  return catalogue[environment].find(chain => chain.shortName === shortName)
}

/** Rejects a chain that cannot be at this end of a transfer (interface 4.3). @throws ServiceError CHAIN_UNSUPPORTED */
export function assertLocation(
  { shortName, supportedLocations }: CatalogueChain,
  location: ChainLocation
): void {
  if (supportedLocations.includes(location)) return
  const problem = `must be a chain that can be the ${location}, not ${shortName}`
  throw fieldError(`${location}Chain`, problem, 'CHAIN_UNSUPPORTED')
}

function chainsOf(environment: Environment): CatalogueChain[] {
  const isTestnet = environment === 'testnet'
  const viemChains = networks.map(([shortName, mainnet, testnet]): CatalogueChain => {
    const { name, id, nativeCurrency, rpcUrls, blockExplorers, blockTime } = isTestnet ? testnet : mainnet
    if (blockExplorers === undefined) throw new Error(`viem has no block explorer for ${name}`)
    const { name: explorer, url, apiUrl } = blockExplorers.default
    return {
      shortName,
      name,
      id,
      nativeCurrency,
      rpcUrls: { default: { http: [...rpcUrls.default.http] } },
      blockExplorers: { default: { name: explorer, url, ...(apiUrl !== undefined && { apiUrl }) } },
      ...(blockTime !== undefined && { blockTime }),
      compatibility: shortName === 'TRX' ? 'SELF' : 'EVM',
      testnet: isTestnet,
      supportedLocations: shortName === 'BERA' ? ['target'] : ['origin', 'target']
    }
  })
  const chains = [...viemChains, ...otherChains(environment)]
  return chains.sort((one, other) => (one.shortName < other.shortName ? -1 : 1))
}
