import type { Hex } from './bytes.ts'

/** The three addresses of an approval: 20 bytes in hex without 0x, or base58 on Solana. */
export interface Ends {
  owner: string
  pool: string
  token: string
  isPermit2: boolean
  /** Digits in the token's smallest unit. */
  amount: string
}

/** A call for `eth_call`, or for `eth_sendTransaction` with the user as `from`. Sends no coins. */
export interface EvmCall {
  to: Hex
  data: Hex
}
