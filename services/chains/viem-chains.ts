import type { CatalogueChain, Environment } from './types.ts'
import { viemExtract } from './viem-extract.ts'

/**
 * The chains that viem knows: the EVM chains, and Tron, which has an EVM chain id but its own kind of wallet.
 */
export function viemChains(environment: Environment): CatalogueChain[] {
  return viemExtract[environment].map(chain => ({
    ...chain,
    compatibility: chain.shortName === 'TRX' ? 'SELF' : 'EVM',
    testnet: environment === 'testnet',
    supportedLocations: chain.shortName === 'BERA' ? ['target'] : ['origin', 'target']
  }))
}
