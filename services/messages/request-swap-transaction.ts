import { bytes, type Message, string, uint32 } from './fields.ts'

/** The chain's message for a stable-token swap (interface 8.3). */
export const requestSwapTransactionFields = {
  /** Chain address of the submitting wallet, which signs. */
  creator: string(1),
  originChain: string(2),
  originAddress: string(3),
  targetChain: string(4),
  targetAddress: string(5),
  originSymbol: string(6),
  targetSymbol: string(7),
  /** Decimal string in whole tokens, as are `amountOut` and `fee`. */
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
  /** JSON object as text. */
  options: string(18)
}

export type MsgRequestSwapTransaction = Message<typeof requestSwapTransactionFields>
