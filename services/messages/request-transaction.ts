import type { Fields } from './codec.ts'
import { bytes, string, uint32 } from './fields.ts'

/** The chain's message for a cross-chain transfer (interface 8.3). */
export interface MsgRequestTransaction {
  /** Chain address of the submitting wallet, which signs. */
  creator: string
  originChain: string
  originAddress: string
  targetChain: string
  targetAddress: string
  originSymbol: string
  targetSymbol: string
  /** Decimal string in whole tokens. */
  amount: string
  /** Decimal string in whole tokens. */
  fee: string
  htlcExpirationTimestamp: string
  htlcCreationHash: string
  htlcCreationVout: number
  htlcVersion: string
  senderPubKey: Uint8Array
  /** JSON object as text. */
  options: string
}

export const requestTransactionFields: Fields<MsgRequestTransaction> = {
  creator: string(1),
  originChain: string(2),
  originAddress: string(3),
  targetChain: string(4),
  targetAddress: string(5),
  originSymbol: string(6),
  targetSymbol: string(7),
  amount: string(8),
  fee: string(9),
  htlcExpirationTimestamp: string(10),
  htlcCreationHash: string(11),
  htlcCreationVout: uint32(12),
  htlcVersion: string(13),
  senderPubKey: bytes(14),
  options: string(15)
}
