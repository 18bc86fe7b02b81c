import type { Chain } from 'viem'
import * as viem from 'viem/chains'
import type { Environment } from '../../../services/chains/types.ts'
import type { ViemChain } from '../../../services/chains/viem-extract.ts'

const networks: [shortName: ViemChain['shortName'], mainnet: Chain, testnet: Chain][] = [
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

/** The chains of the catalogue, read from the installed viem. */
export function extractFromViem(): Record<Environment, ViemChain[]> {
  return {
    mainnet: networks.map(([shortName, mainnet]) => extract(shortName, mainnet)),
    testnet: networks.map(([shortName, , testnet]) => extract(shortName, testnet))
  }
}

function extract(shortName: ViemChain['shortName'], chain: Chain): ViemChain {
  const { name: coin, symbol, decimals } = chain.nativeCurrency
  return {
    shortName,
    name: chain.name,
    id: chain.id,
    nativeCurrency: { name: coin, symbol, decimals },
    rpcUrls: { default: { http: [...chain.rpcUrls.default.http] } },
    blockExplorers: { default: explorerOf(chain) },
    ...(chain.blockTime !== undefined && { blockTime: chain.blockTime })
  }
}

function explorerOf({ name, blockExplorers }: Chain): ViemChain['blockExplorers']['default'] {
  if (blockExplorers === undefined) throw new Error(`viem knows no explorer of ${name}`)
  const { name: explorer, url, apiUrl } = blockExplorers.default
  return { name: explorer, url, ...(apiUrl !== undefined && { apiUrl }) }
}
