import { brandNames } from '../../schemas/brand.ts'
import { type Codec, createCodec } from './codec.ts'
import { bytes, type Message, string, uint32, uint64 } from './fields.ts'

/** The first fields of transfers and swaps. */
const routeFields = {
  /** Chain address of the wallet that signs. */
  creator: string(1),
  originChain: string(2),
  originAddress: string(3),
  targetChain: string(4),
  targetAddress: string(5),
  originSymbol: string(6),
  targetSymbol: string(7)
}

/** The chain's message for a cross-chain transfer (interface 8.3). */
const requestTransactionFields = {
  ...routeFields,
  /** Decimal string in whole tokens, as is `fee`. */
  amount: string(8),
  fee: string(9),
  htlcExpirationTimestamp: string(10),
  htlcCreationHash: string(11),
  htlcCreationVout: uint32(12),
  htlcVersion: string(13),
  senderPubKey: bytes(14),
  /** JSON object, as a string. */
  options: string(15)
}

export type MsgRequestTransaction = Message<typeof requestTransactionFields>

/** The chain's message for a stable-token swap (interface 8.3). */
const requestSwapTransactionFields = {
  ...routeFields,
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
  /** JSON object, as a string. */
  options: string(18)
}

export type MsgRequestSwapTransaction = Message<typeof requestSwapTransactionFields>

/** The chain's message that registers a lock of bitcoins, before its transfer (interface 26.9). */
const requestHtlcLockFields = {
  creator: string(1),
  fromAddress: string(2),
  /** The sender's public key in hex, hex-encoded once more. */
  senderPubkey: string(3),
  /** Decimal string in whole bitcoins. */
  amount: string(4),
  /** Unix seconds. */
  htlcTimeout: string(5),
  txHash: string(6),
  htlcAddress: string(7)
}

/** The chain's message that requests the refund of a lock (interface 26.10). */
const htlcReclaimFields = { creator: string(1), txHash: string(2), senderAddress: string(3) }

/** The chain's response to any of the messages (interface 8.6). Only a request for a transfer or swap has a `txId`. */
const responseFields = {
  code: string(1),
  msg: string(2),
  /** The chain's sequential transaction id. */
  txId: uint64(3)
}

export const msgRequestResponse = createCodec(responseFields)

/** A message type, with its type URL and that of the response. */
export interface MessageType<T> extends Codec<T> {
  readonly typeUrl: string
  readonly responseTypeUrl: string
}

/** Creates the chain's message types in the brand's protobuf packages (interface 2.3 and 8.1). */
export function createMessageTypes(brand: string) {
  const { transactionPackage, swapPackage } = brandNames(brand)
  return {
    requestTransaction: {
      ...createCodec(requestTransactionFields),
      typeUrl: `/${transactionPackage}.MsgRequestTransaction`,
      responseTypeUrl: `/${transactionPackage}.MsgRequestTransactionResponse`
    },
    requestSwapTransaction: {
      ...createCodec(requestSwapTransactionFields),
      typeUrl: `/${swapPackage}.MsgRequestSwapTransaction`,
      responseTypeUrl: `/${swapPackage}.MsgRequestSwapTransactionResponse`
    },
    requestHtlcLock: {
      ...createCodec(requestHtlcLockFields),
      typeUrl: `/${transactionPackage}.MsgRequestHtlcLock`,
      responseTypeUrl: `/${transactionPackage}.MsgRequestHtlcLockResponse`
    },
    htlcReclaim: {
      ...createCodec(htlcReclaimFields),
      typeUrl: `/${transactionPackage}.MsgHtlcReclaim`,
      responseTypeUrl: `/${transactionPackage}.MsgHtlcReclaimResponse`
    }
  }
}
