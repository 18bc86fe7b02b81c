/** The address format of a chain. `FIAT` stands for the rails, which have no addresses. */
export type Family = 'EVM' | 'SOL' | 'TRX' | 'BTC' | 'FIAT'

export type Environment = 'mainnet' | 'testnet'
