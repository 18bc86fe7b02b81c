import type { Chain } from 'viem'
import {
  arbitrum,
  arbitrumSepolia,
  avalanche,
  avalancheFuji,
  base,
  baseSepolia,
  berachain,
  berachainBepolia,
  bsc,
  bscTestnet,
  confluxESpace,
  confluxESpaceTestnet,
  mainnet,
  optimism,
  optimismSepolia,
  polygon,
  polygonAmoy,
  sepolia,
  tron,
  tronNile,
  worldchain,
  worldchainSepolia
} from 'viem/chains'
import type { ShortName } from './families.ts'
import type { CatalogueChain, Compatibility, Environment } from './types.ts'

/** What viem knows of a chain, for clients. Tron has viem's data although its wallets are of their own kind. */
function describe(shortName: ShortName, chain: Chain, testnet: boolean): CatalogueChain {
  const { id, name, nativeCurrency, rpcUrls, blockExplorers } = chain
  const compatibility: Compatibility = shortName === 'TRX' ? 'SELF' : 'EVM'
  return {
    shortName,
    name,
    id,
    nativeCurrency: { ...nativeCurrency },
    rpcUrls: [...rpcUrls.default.http],
    blockExplorers: Object.values(blockExplorers ?? []).map(explorer => ({
      name: explorer.name,
      url: explorer.url
    })),
    compatibility,
    testnet,
    supportedLocations: shortName === 'BERA' ? ['target'] : ['origin', 'target']
  }
}

const networks: [shortName: ShortName, mainnet: Chain, testnet: Chain][] = [
  ['ARB', arbitrum, arbitrumSepolia],
  ['AVX', avalanche, avalancheFuji],
  ['BASE', base, baseSepolia],
  ['BERA', berachain, berachainBepolia],
  ['BSC', bsc, bscTestnet],
  ['CFX', confluxESpace, confluxESpaceTestnet],
  ['ETH', mainnet, sepolia],
  ['OPT', optimism, optimismSepolia],
  ['POL', polygon, polygonAmoy],
  ['TRX', tron, tronNile],
  ['WLD', worldchain, worldchainSepolia]
]

/** The chains whose identity viem knows. */
export function viemChains(environment: Environment): CatalogueChain[] {
  return networks.map(([shortName, main, test]) =>
    environment === 'mainnet' ? describe(shortName, main, false) : describe(shortName, test, true)
  )
}
