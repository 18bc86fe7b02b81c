import { bytes, type Message, string, uint32 } from './fields.ts'

/** The chain's message for a cross-chain transfer (interface 8.3). */
export const requestTransactionFields = {
  /** Chain address of the submitting wallet, which signs. */
  creator: string(1),
  originChain: string(2),
  originAddress: string(3),
  targetChain: string(4),
  targetAddress: string(5),
  originSymbol: string(6),
  targetSymbol: string(7),
  /** Decimal string in whole tokens. */
  amount: string(8),
  /** Decimal string in whole tokens. */
  fee: string(9),
  htlcExpirationTimestamp: string(10),
  htlcCreationHash: string(11),
  htlcCreationVout: uint32(12),
  htlcVersion: string(13),
  senderPubKey: bytes(14),
  /** JSON object as text. */
  options: string(15)
}

export type MsgRequestTransaction = Message<typeof requestTransactionFields>
