import { AuthInfo, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Coin, fromProto } from '../../modules/bank/coins.ts'
import type { App } from '../app.ts'
import { AbciError, sdkError } from '../errors.ts'
import { txHash } from '../hashes.ts'
import type { MessageHandler } from '../module.ts'

export interface DecodedMessage {
  readonly handler: MessageHandler
  readonly message: unknown
}

/** A decoded, unchecked transaction. */
export interface DecodedTx {
  readonly hash: string
  readonly bytes: Uint8Array
  readonly raw: TxRaw
  readonly messages: readonly DecodedMessage[]
  /** Whether the transaction has a timeout instead of sequences (SDK 0.53). */
  readonly unordered: boolean
  /** The latest block time for the transaction, in nanoseconds since 1970; 0 means no limit. */
  readonly timeoutTimestamp: bigint
  readonly fee: { readonly amount: Coin[]; readonly gasLimit: bigint }
  readonly signerInfos: readonly SignerInfo[]
  /** The required signers: the signers of all messages, in order, without duplicates. */
  readonly signers: readonly string[]
}

export type Handlers = ReadonlyMap<string, MessageHandler>

/** The interface of a protobuf message type in `cosmjs-types`. */
export interface Codec<T> {
  decode(bytes: Uint8Array): T
  encode(message: T): { finish(): Uint8Array }
}

/**
 * Decodes a message whose bytes are canonical. Rejects unknown fields, because a signer might rely on them. Rejects a
 * different field order, because a transaction must have only one hash (ADR-027).
 * @throws AbciError 2
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

function decodeBody(bytes: Uint8Array, sdk: App['sdk']): TxBody {
  const body = decodeExactly(TxBody, bytes, '*tx.TxBody')
  if (sdk === '0.53' || !(body.unordered || body.timeoutTimestamp)) return body
  throw sdkError('txDecode', 'errUnknownField "*tx.TxBody": {TagNum: 4, WireType:"varint"}')
}

function decode(bytes: Uint8Array, { handlers, sdk }: Pick<App, 'handlers' | 'sdk'>): DecodedTx {
  const raw = decodeExactly(TxRaw, bytes, '*tx.TxRaw')
  const body = decodeBody(raw.bodyBytes, sdk)
  const { seconds, nanos } = body.timeoutTimestamp ?? { seconds: 0n, nanos: 0 }
  const { fee, signerInfos } = decodeExactly(AuthInfo, raw.authInfoBytes, '*tx.AuthInfo')
  if (body.timeoutHeight || body.extensionOptions.length > 0 || fee?.payer || fee?.granter) {
    throw sdkError('invalidRequest', 'timeout heights, extensions, fee payers and grants are not supported')
  }
  const messages = body.messages.map(any => decodeMessage(any, handlers))
  const signers = messages.flatMap(({ handler, message }) => handler.signers(message))
  return {
    hash: txHash(bytes),
    bytes,
    raw,
    messages,
    unordered: body.unordered,
    timeoutTimestamp: seconds * 1_000_000_000n + BigInt(nanos),
    fee: { gasLimit: fee?.gasLimit ?? 0n, amount: fromProto(fee?.amount ?? []) },
    signerInfos,
    signers: [...new Set(signers)]
  }
}

/** Decodes a transaction. @throws AbciError 2 when the bytes are invalid or a message type is unknown */
export function decodeTx(bytes: Uint8Array, app: Pick<App, 'handlers' | 'sdk'>): DecodedTx {
  try {
    return decode(bytes, app)
  } catch (thrown) {
    throw thrown instanceof AbciError ? thrown : sdkError('txDecode', 'invalid length')
  }
}
