import { chains, type Peg } from './chains.ts'

/** The secret key of the pool's Bitcoin address. Never use it on a real network. */
export const POOL_BITCOIN_KEY = '42'.repeat(32)

/**
 * The pool's keys (interface 4.17, 4.18): a compressed secp256k1 key with its EVM and Bitcoin testnet addresses
 * (`ecdsa`, `reserved`), and a Solana address (`eddsa`).
 */
export const poolKeys = {
  tssPubKey: '02604bd0d1d6049ba8f3cea0eddd2e3afc5ccc8af75d45db379db2c0e5f5486aca',
  ecdsa: '0x7f9aBfFf70c64d4FA0aFaDfFA84576D7a69D56E7',
  eddsa: '445pK6Xbu56dGLvGoRY8m3WskAd3QChYxRmyh9nDEFjp',
  reserved: 'tb1qznd5zwx4dghvlvggsx5muw2dnuepnpdj7ud0ys'
} as const

export const poolAmounts: Record<Peg, string> = {
  USD: '1000000',
  EUR: '1000000',
  BTC: '25',
  ETH: '500',
  SOL: '10000'
}

export type PoolBalance = (typeof poolBalances)[number]

/** The balances in whole tokens. They are the same for every chain, and transfers change only those on real nodes. */
export const poolBalances = chains
  .filter(chain => chain.symbol !== 'FIAT')
  .map(chain => ({
    index: chain.symbol,
    chainName: chain.symbol,
    balance: chain.tokens.map(token => ({
      amount: poolAmounts[token.peggedTo],
      tokenSymbol: token.symbol,
      decimal: token.decimals
    })),
    nativeGasAmount: '100'
  }))
