import type { CatalogueChain, Environment } from './types.ts'

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
  mainnet: [
    {
      shortName: 'ARB',
      name: 'Arbitrum One',
      id: 42161,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://arb1.arbitrum.io/rpc'] } },
      blockExplorers: {
        default: { name: 'Arbiscan', url: 'https://arbiscan.io', apiUrl: 'https://api.arbiscan.io/api' }
      },
      blockTime: 250
    },
    {
      shortName: 'AVX',
      name: 'Avalanche',
      id: 43114,
      nativeCurrency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
      rpcUrls: { default: { http: ['https://api.avax.network/ext/bc/C/rpc'] } },
      blockExplorers: {
        default: { name: 'SnowTrace', url: 'https://snowtrace.io', apiUrl: 'https://api.snowtrace.io' }
      },
      blockTime: 1700
    },
    {
      shortName: 'BASE',
      name: 'Base',
      id: 8453,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://mainnet.base.org'] } },
      blockExplorers: {
        default: { name: 'Basescan', url: 'https://basescan.org', apiUrl: 'https://api.basescan.org/api' }
      },
      blockTime: 2000
    },
    {
      shortName: 'BERA',
      name: 'Berachain',
      id: 80094,
      nativeCurrency: { name: 'BERA Token', symbol: 'BERA', decimals: 18 },
      rpcUrls: { default: { http: ['https://rpc.berachain.com'] } },
      blockExplorers: { default: { name: 'Berascan', url: 'https://berascan.com' } },
      blockTime: 2000
    },
    {
      shortName: 'BSC',
      name: 'BNB Smart Chain',
      id: 56,
      nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
      rpcUrls: { default: { http: ['https://56.rpc.thirdweb.com'] } },
      blockExplorers: {
        default: { name: 'BscScan', url: 'https://bscscan.com', apiUrl: 'https://api.bscscan.com/api' }
      },
      blockTime: 750
    },
    {
      shortName: 'CFX',
      name: 'Conflux eSpace',
      id: 1030,
      nativeCurrency: { name: 'Conflux', symbol: 'CFX', decimals: 18 },
      rpcUrls: { default: { http: ['https://evm.confluxrpc.com'] } },
      blockExplorers: { default: { name: 'ConfluxScan', url: 'https://evm.confluxscan.org' } }
    },
    {
      shortName: 'ETH',
      name: 'Ethereum',
      id: 1,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://eth.merkle.io'] } },
      blockExplorers: {
        default: { name: 'Etherscan', url: 'https://etherscan.io', apiUrl: 'https://api.etherscan.io/api' }
      },
      blockTime: 12000
    },
    {
      shortName: 'OPT',
      name: 'OP Mainnet',
      id: 10,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://mainnet.optimism.io'] } },
      blockExplorers: {
        default: {
          name: 'Optimism Explorer',
          url: 'https://optimistic.etherscan.io',
          apiUrl: 'https://api-optimistic.etherscan.io/api'
        }
      },
      blockTime: 2000
    },
    {
      shortName: 'POL',
      name: 'Polygon',
      id: 137,
      nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
      rpcUrls: { default: { http: ['https://polygon.drpc.org'] } },
      blockExplorers: {
        default: {
          name: 'PolygonScan',
          url: 'https://polygonscan.com',
          apiUrl: 'https://api.etherscan.io/v2/api'
        }
      },
      blockTime: 2000
    },
    {
      shortName: 'TRX',
      name: 'Tron',
      id: 728126428,
      nativeCurrency: { name: 'TRON', symbol: 'TRX', decimals: 6 },
      rpcUrls: { default: { http: ['https://api.trongrid.io/jsonrpc'] } },
      blockExplorers: {
        default: {
          name: 'Tronscan',
          url: 'https://tronscan.org',
          apiUrl: 'https://apilist.tronscanapi.com/api'
        }
      }
    },
    {
      shortName: 'WLD',
      name: 'World Chain',
      id: 480,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://worldchain-mainnet.g.alchemy.com/public'] } },
      blockExplorers: {
        default: { name: 'Worldscan', url: 'https://worldscan.org', apiUrl: 'https://api.worldscan.org/api' }
      },
      blockTime: 2000
    }
  ],
  testnet: [
    {
      shortName: 'ARB',
      name: 'Arbitrum Sepolia',
      id: 421614,
      nativeCurrency: { name: 'Arbitrum Sepolia Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://sepolia-rollup.arbitrum.io/rpc'] } },
      blockExplorers: {
        default: {
          name: 'Arbiscan',
          url: 'https://sepolia.arbiscan.io',
          apiUrl: 'https://api-sepolia.arbiscan.io/api'
        }
      },
      blockTime: 250
    },
    {
      shortName: 'AVX',
      name: 'Avalanche Fuji',
      id: 43113,
      nativeCurrency: { name: 'Avalanche Fuji', symbol: 'AVAX', decimals: 18 },
      rpcUrls: { default: { http: ['https://api.avax-test.network/ext/bc/C/rpc'] } },
      blockExplorers: {
        default: {
          name: 'SnowTrace',
          url: 'https://testnet.snowtrace.io',
          apiUrl: 'https://api-testnet.snowtrace.io'
        }
      }
    },
    {
      shortName: 'BASE',
      name: 'Base Sepolia',
      id: 84532,
      nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://sepolia.base.org'] } },
      blockExplorers: {
        default: {
          name: 'Basescan',
          url: 'https://sepolia.basescan.org',
          apiUrl: 'https://api-sepolia.basescan.org/api'
        }
      },
      blockTime: 2000
    },
    {
      shortName: 'BERA',
      name: 'Berachain Bepolia',
      id: 80069,
      nativeCurrency: { name: 'BERA Token', symbol: 'BERA', decimals: 18 },
      rpcUrls: { default: { http: ['https://bepolia.rpc.berachain.com'] } },
      blockExplorers: { default: { name: 'Berascan', url: 'https://bepolia.beratrail.io' } },
      blockTime: 2000
    },
    {
      shortName: 'BSC',
      name: 'BNB Smart Chain Testnet',
      id: 97,
      nativeCurrency: { name: 'BNB', symbol: 'tBNB', decimals: 18 },
      rpcUrls: { default: { http: ['https://data-seed-prebsc-1-s1.bnbchain.org:8545'] } },
      blockExplorers: {
        default: {
          name: 'BscScan',
          url: 'https://testnet.bscscan.com',
          apiUrl: 'https://api-testnet.bscscan.com/api'
        }
      }
    },
    {
      shortName: 'CFX',
      name: 'Conflux eSpace Testnet',
      id: 71,
      nativeCurrency: { name: 'Conflux', symbol: 'CFX', decimals: 18 },
      rpcUrls: { default: { http: ['https://evmtestnet.confluxrpc.com'] } },
      blockExplorers: { default: { name: 'ConfluxScan', url: 'https://evmtestnet.confluxscan.org' } }
    },
    {
      shortName: 'ETH',
      name: 'Sepolia',
      id: 11155111,
      nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://11155111.rpc.thirdweb.com'] } },
      blockExplorers: {
        default: {
          name: 'Etherscan',
          url: 'https://sepolia.etherscan.io',
          apiUrl: 'https://api-sepolia.etherscan.io/api'
        }
      }
    },
    {
      shortName: 'OPT',
      name: 'OP Sepolia',
      id: 11155420,
      nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://sepolia.optimism.io'] } },
      blockExplorers: {
        default: {
          name: 'Blockscout',
          url: 'https://optimism-sepolia.blockscout.com',
          apiUrl: 'https://optimism-sepolia.blockscout.com/api'
        }
      },
      blockTime: 2000
    },
    {
      shortName: 'POL',
      name: 'Polygon Amoy',
      id: 80002,
      nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
      rpcUrls: { default: { http: ['https://rpc-amoy.polygon.technology'] } },
      blockExplorers: {
        default: {
          name: 'PolygonScan',
          url: 'https://amoy.polygonscan.com',
          apiUrl: 'https://api.etherscan.io/v2/api'
        }
      }
    },
    {
      shortName: 'TRX',
      name: 'Tron Nile',
      id: 3448148188,
      nativeCurrency: { name: 'TRON', symbol: 'TRX', decimals: 6 },
      rpcUrls: { default: { http: ['https://nile.trongrid.io/jsonrpc'] } },
      blockExplorers: { default: { name: 'Tronscan', url: 'https://nile.tronscan.org' } }
    },
    {
      shortName: 'WLD',
      name: 'World Chain Sepolia',
      id: 4801,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://worldchain-sepolia.g.alchemy.com/public'] } },
      blockExplorers: {
        default: {
          name: 'Worldscan Sepolia',
          url: 'https://sepolia.worldscan.org',
          apiUrl: 'https://api-sepolia.worldscan.org/api'
        }
      },
      blockTime: 2000
    }
  ]
}
