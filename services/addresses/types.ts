/** The kind of a chain's addresses. A rail has none. */
export type Family = 'EVM' | 'SOL' | 'TRX' | 'BTC' | 'FIAT'

export type Environment = 'mainnet' | 'testnet'
