import type { Chain } from 'viem'
import * as viem from 'viem/chains'
import type { Environment } from '../addresses/types.ts'
import type { CatalogueChain } from './types.ts'

/** The chains that viem supports: the EVM chains, and Tron, which has an EVM chain id but its own kind of wallet. */
const networks: [shortName: CatalogueChain['shortName'], mainnet: Chain, testnet: Chain][] = [
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

export function viemChains(environment: Environment): CatalogueChain[] {
  return networks.map(([shortName, mainnet, testnet]) => {
    const isTestnet = environment === 'testnet'
    const { name, id, nativeCurrency, rpcUrls, blockExplorers, blockTime } = isTestnet ? testnet : mainnet
    if (blockExplorers === undefined) throw new Error(`viem knows no explorer of ${name}`)
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
}
