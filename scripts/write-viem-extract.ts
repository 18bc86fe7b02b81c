import { writeFileSync } from 'node:fs'
import { extractFromViem } from '../test/services/chains/viem-extract.ts'

const { mainnet, testnet } = extractFromViem()
writeFileSync(
  new URL('../services/chains/viem-extract.ts', import.meta.url),
  `import type { CatalogueChain, Environment } from './types.ts'

export type ViemChain = Pick<
  CatalogueChain,
  'shortName' | 'name' | 'id' | 'nativeCurrency' | 'rpcUrls' | 'blockExplorers' | 'blockTime'
>

/**
 * The chains of the catalogue as viem/chains has them. Loading that module takes longer than starting the whole
 * service, so a copy is kept here. A test compares it with the installed viem. After an update of viem:
 * npx tsx scripts/write-viem-extract.ts && npx biome check --write services/chains
 */
export const viemExtract: Record<Environment, readonly ViemChain[]> = {
  mainnet: ${JSON.stringify(mainnet)},
  testnet: ${JSON.stringify(testnet)}
}
`
)
