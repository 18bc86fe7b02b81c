/** `decimals` is a string, as on the chain. */
export interface RegistryToken {
  symbol: string
  address: string
  decimals: string
  /** The currency that the token is pegged to. Both tokens of a transfer have the same peg; those of a swap differ. */
  peggedTo: Peg
  /** Whether paying with the token requires a Permit2 signature (interface 6.31). */
  isPermit2?: boolean
  /** The sides of a transfer that support the token (interface 4.29). */
  supportedLocations?: ('origin' | 'target')[]
}

export type Peg = 'USD' | 'EUR' | 'BTC' | 'ETH' | 'SOL'

export interface RegistryChain {
  id: string
  name: string
  /** The chain's short name. */
  symbol: string
  tokens: RegistryToken[]
  disabled: boolean
  isEvm: boolean
  derivationAlgorithm: 'ECDSA' | 'EDDSA' | ''
}

function token(
  symbol: string,
  address: string,
  decimals: number,
  peggedTo: Peg,
  more: Pick<RegistryToken, 'isPermit2' | 'supportedLocations'> = {}
): RegistryToken {
  return { symbol, address, decimals: String(decimals), peggedTo, ...more }
}

function chain(
  id: string,
  name: string,
  symbol: string,
  derivationAlgorithm: RegistryChain['derivationAlgorithm'],
  tokens: RegistryToken[]
): RegistryChain {
  return { id, name, symbol, tokens, disabled: false, isEvm: false, derivationAlgorithm }
}

function evm(id: string, name: string, symbol: string, tokens: RegistryToken[]): RegistryChain {
  return { ...chain(id, name, symbol, 'ECDSA', tokens), isEvm: true }
}

/**
 * Chains named after public test networks. Each token address is valid for its chain; it is made up if the issuer has
 * no test token. FIAT contains both fiat rails; its token addresses are the payment methods.
 */
export const chains: readonly RegistryChain[] = [
  evm('1', 'Arbitrum Sepolia', 'ARB', [
    token('USDT', '0x9254c7846548A56bB53a3a93Ca70D7Bdf3E681F5', 6, 'USD'),
    token('USDC', '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d', 6, 'USD')
  ]),
  evm('2', 'Avalanche Fuji', 'AVX', [
    token('USDT', '0xeAa88e276A849056faC023e0Ff9ed8F58cAF3Cce', 6, 'USD'),
    token('USDC', '0x5425890298aed601595a70AB815c96711a31Bc65', 6, 'USD'),
    token('EURC', '0x6D7182318D7996b615b7d7C89902686b19547d53', 6, 'EUR')
  ]),
  evm('3', 'Base Sepolia', 'BASE', [
    token('USDC', '0x036CbD53842c5426634e7929541eC2318f3dCF7e', 6, 'USD'),
    token('EURC', '0x4A11b7a6E53Ed903D7FDA073C378ADe3CD966A6D', 6, 'EUR')
  ]),
  evm('4', 'Berachain Bepolia', 'BERA', [
    token('USDC', '0x2545006B1E7a05993A26ca96b1e196390d72f08E', 6, 'USD')
  ]),
  evm('5', 'BNB Smart Chain Testnet', 'BSC', [
    token('USDT', '0xaDBf4C0CBCB3E05d93ce6a507835831abA4255B7', 18, 'USD'),
    token('USDC', '0x33bC05470e8e2aeFCd819ED6404B4A8cD578b002', 18, 'USD'),
    token('USD1', '0xBbF47F7657AA73086e6ACbe34a928BD1652067A1', 18, 'USD')
  ]),
  chain('6', 'Bitcoin Testnet', 'BTC', 'ECDSA', [token('BTC', '', 8, 'BTC')]),
  evm('7', 'Conflux eSpace Testnet', 'CFX', [
    token('USDT', '0x9DD6B5EE410e74fC292205Afa5e84ae35BBc4d1b', 18, 'USD')
  ]),
  evm('8', 'Ethereum Sepolia', 'ETH', [
    token('USDT', '0xfeAD61696f23476c642ddf7B0AfD92d0CCb9C183', 6, 'USD'),
    token('USDC', '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', 6, 'USD'),
    token('EURC', '0x8f6D28634d5D1cFd80fd64bCC8a328B4Ea4d30a9', 6, 'EUR'),
    token('WBTC', '0x287B2a3000C84AaAFeBB8f4421334C2A382FAAfe', 8, 'BTC'),
    token('WETH', '0x7eF2310E44Bbd08db6f7d2a06B86B7103a898DB4', 18, 'ETH')
  ]),
  chain('9', 'Fiat rails', 'FIAT', '', [
    token('USD', 'creditCard', 2, 'USD'),
    token('EUR', 'sepaEur', 2, 'EUR')
  ]),
  evm('10', 'OP Sepolia', 'OPT', [
    token('USDT', '0x1c4ce036b2fa8f91b9B728f6588db1Ebe87fEcA1', 6, 'USD', { isPermit2: true }),
    token('USDC', '0x5fd84259d66Cd46123540766Be93DFE6D43130D7', 6, 'USD')
  ]),
  evm('11', 'Polygon Amoy', 'POL', [
    token('USDT', '0x9C55751Dac4f46215c12717fb1d556F6C22Fe76d', 6, 'USD'),
    token('USDC', '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582', 6, 'USD')
  ]),
  chain('12', 'Solana Devnet', 'SOL', 'EDDSA', [
    token('USDT', 'FKqEfbiBTJyQnMXCCxppMaQuWaKKpxwjUKh4a7WaBEom', 6, 'USD'),
    token('USDC', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 6, 'USD'),
    token('WSOL', 'So11111111111111111111111111111111111111112', 9, 'SOL')
  ]),
  chain('13', 'Tron Nile', 'TRX', 'ECDSA', [
    token('USDT', 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', 6, 'USD'),
    token('USDC', 'TYYrv8nQ9XsVbvZEYVEvhasnntEWjsbWsW', 6, 'USD')
  ]),
  evm('14', 'World Chain Sepolia', 'WLD', [
    token('USDC', '0x66145f38cBAC35Ca6F1Dfb4914dF98F1614aeA88', 6, 'USD'),
    token('WETH', '0xd7895025D66B04eC880300174a1A0d8c2502Dac7', 18, 'ETH', {
      supportedLocations: ['origin', 'target']
    })
  ])
]
