import { AuthInfo, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { LRUCache } from 'lru-cache'
import { type Coin, fromProto } from '../coins.ts'
import { AbciError, sdkError } from '../errors.ts'
import { txHash } from '../hashes.ts'
import type { Codec, MessageHandler } from '../module.ts'

export interface DecodedMessage {
  readonly handler: MessageHandler
  readonly message: unknown
}

export interface DecodedTx {
  readonly hash: string
  readonly bytes: Uint8Array
  readonly raw: TxRaw
  readonly messages: readonly DecodedMessage[]
  readonly fee: { readonly amount: Coin[]; readonly gasLimit: bigint }
  readonly signerInfos: readonly SignerInfo[]
  /** The required signers: the signers of all messages, in order, without duplicates. */
  readonly signers: readonly string[]
}

type Handlers = ReadonlyMap<string, MessageHandler>

/** How many decoded transactions to cache: each is checked, rechecked and executed. */
const CACHE_SIZE = 1000

/**
 * Decodes a message. Rejects unknown fields, because a signer might rely on them, and a different field order, because a
 * transaction must have only one hash (ADR-027).
 */
function decodeExactly<T>(codec: Codec<T>, bytes: Uint8Array, name: string): T {
  const message = codec.decode(bytes)
  if (Buffer.compare(codec.encode(message).finish(), bytes) === 0) return message
  throw sdkError('txDecode', `errUnknownField "${name}": it has unknown fields, or is not encoded by ADR-027`)
}

function decodeMessage({ typeUrl, value }: Any, handlers: Handlers): DecodedMessage {
  const handler = handlers.get(typeUrl)
  if (!handler) throw sdkError('txDecode', `unable to resolve type URL ${typeUrl}`)
  return { handler, message: decodeExactly(handler.codec, value, typeUrl) }
}

function decode(bytes: Uint8Array, hash: string, handlers: Handlers): DecodedTx {
  const raw = decodeExactly(TxRaw, bytes, '*tx.TxRaw')
  const body = decodeExactly(TxBody, raw.bodyBytes, '*tx.TxBody')
  const { fee, signerInfos } = decodeExactly(AuthInfo, raw.authInfoBytes, '*tx.AuthInfo')
  const hasTimeout = body.timeoutHeight || body.unordered || body.timeoutTimestamp
  if (hasTimeout || body.extensionOptions.length > 0 || fee?.payer || fee?.granter) {
    throw sdkError('invalidRequest', 'timeouts, extensions, fee payers and grants are not supported')
  }
  const messages = body.messages.map(any => decodeMessage(any, handlers))
  const signers = messages.flatMap(({ handler, message }) => handler.signers(message))
  return {
    hash,
    bytes,
    raw,
    messages,
    fee: { gasLimit: fee?.gasLimit ?? 0n, amount: fromProto(fee?.amount ?? []) },
    signerInfos,
    signers: [...new Set(signers)]
  }
}

/** Creates the transaction decoder, which throws AbciError 2 for invalid bytes or an unknown message type. */
export function createDecoder(handlers: Handlers) {
  const recent = new LRUCache<string, DecodedTx>({ max: CACHE_SIZE })
  return (bytes: Uint8Array): DecodedTx => {
    const hash = txHash(bytes)
    try {
      const tx = recent.get(hash) ?? decode(bytes, hash, handlers)
      recent.set(hash, tx)
      return tx
    } catch (thrown) {
      throw thrown instanceof AbciError ? thrown : sdkError('txDecode', 'invalid length')
    }
  }
}
