import type { Fields } from './codec.ts'
import { bytes, string, uint32 } from './fields.ts'

/** The chain's message for a stable-token swap (interface 8.3). */
export interface MsgRequestSwapTransaction {
  /** Chain address of the submitting wallet, which signs. */
  creator: string
  originChain: string
  originAddress: string
  targetChain: string
  targetAddress: string
  originSymbol: string
  targetSymbol: string
  /** Decimal string in whole tokens, as are `amountOut` and `fee`. */
  amountIn: string
  amountOut: string
  fee: string
  dex: string
  slippage: string
  htlcExpirationTimestamp: string
  htlcCreationHash: string
  htlcCreationVout: number
  htlcVersion: string
  senderPubKey: Uint8Array
  /** JSON object as text. */
  options: string
}

export const requestSwapTransactionFields: Fields<MsgRequestSwapTransaction> = {
  creator: string(1),
  originChain: string(2),
  originAddress: string(3),
  targetChain: string(4),
  targetAddress: string(5),
  originSymbol: string(6),
  targetSymbol: string(7),
  amountIn: string(8),
  amountOut: string(9),
  fee: string(10),
  dex: string(11),
  slippage: string(12),
  htlcExpirationTimestamp: string(13),
  htlcCreationHash: string(14),
  htlcCreationVout: uint32(15),
  htlcVersion: string(16),
  senderPubKey: bytes(17),
  options: string(18)
}
