import type { Environment } from '../addresses/index.ts'
import { type CatalogueChain, paymentMethods } from './families.ts'

type Identity = Pick<CatalogueChain, 'name' | 'id' | 'rpcUrls' | 'blockExplorers'>

/**
 * Chains without an EVM chain id use the number that bridges assign to them. Browsers cannot use Bitcoin's JSON-RPC, so
 * Bitcoin's URL points to an Esplora API.
 */
const bitcoin: Record<Environment, Identity> = {
  mainnet: {
    name: 'Bitcoin',
    id: 8_253_038,
    rpcUrls: { default: { http: ['https://mempool.space/api'] } },
    blockExplorers: { default: { name: 'mempool.space', url: 'https://mempool.space' } }
  },
  testnet: {
    name: 'Bitcoin Testnet',
    id: 9_092_725,
    rpcUrls: { default: { http: ['https://mempool.space/testnet4/api'] } },
    blockExplorers: { default: { name: 'mempool.space', url: 'https://mempool.space/testnet4' } }
  }
}

const solana: Record<Environment, Identity> = {
  mainnet: {
    name: 'Solana',
    id: 792_703_809,
    rpcUrls: { default: { http: ['https://api.mainnet-beta.solana.com'] } },
    blockExplorers: { default: { name: 'Solana Explorer', url: 'https://explorer.solana.com' } }
  },
  testnet: {
    name: 'Solana Devnet',
    id: 1_936_682_084,
    rpcUrls: { default: { http: ['https://api.devnet.solana.com'] } },
    blockExplorers: { default: { name: 'Solana Explorer', url: 'https://explorer.solana.com' } }
  }
}

/** Returns Bitcoin, Solana and the rails. The ids of the rails are specific to this service. */
export function otherChains(environment: Environment): CatalogueChain[] {
  const testnet = environment === 'testnet'
  const nowhere = { rpcUrls: { default: { http: [] } }, blockExplorers: { default: { name: '', url: '' } } }
  return [
    {
      shortName: 'BTC',
      ...bitcoin[environment],
      nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
      compatibility: 'BTC',
      testnet,
      // A Bitcoin origin needs hash time-locked contracts, which this service does not support.
      supportedLocations: ['target']
    },
    {
      shortName: 'SOL',
      ...solana[environment],
      nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
      compatibility: 'SELF',
      testnet,
      supportedLocations: ['origin', 'target']
    },
    {
      shortName: 'BANK',
      name: 'Bank transfer',
      id: 900_001,
      nativeCurrency: { name: 'Euro', symbol: 'EUR', decimals: 2 },
      ...nowhere,
      compatibility: 'BANK',
      testnet,
      supportedLocations: ['origin'],
      fiatToken: { symbol: 'EUR', decimals: 2, address: paymentMethods.BANK, peggedTo: 'EUR' }
    },
    {
      shortName: 'CC',
      name: 'Credit card',
      id: 900_002,
      nativeCurrency: { name: 'US dollar', symbol: 'USD', decimals: 2 },
      ...nowhere,
      compatibility: 'CC',
      testnet,
      supportedLocations: ['origin'],
      fiatToken: { symbol: 'USD', decimals: 2, address: paymentMethods.CC, peggedTo: 'USD' }
    }
  ]
}
