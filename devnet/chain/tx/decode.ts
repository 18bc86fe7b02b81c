import { AuthInfo, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Coin, fromProto } from '../../modules/bank/coins.ts'
import type { App } from '../app.ts'
import { AbciError, sdkError } from '../errors.ts'
import { txHash } from '../hashes.ts'
import type { MessageHandler } from '../module.ts'
import { checkStrictRaw } from './strict-raw.ts'

export interface DecodedMessage {
  readonly handler: MessageHandler
  readonly message: unknown
}

/** A decoded transaction; nothing about it is checked yet. */
export interface DecodedTx {
  readonly hash: string
  readonly bytes: Uint8Array
  readonly raw: TxRaw
  readonly messages: readonly DecodedMessage[]
  readonly memo: string
  /** The last height that may include it; 0 = any. */
  readonly timeoutHeight: bigint
  /** SDK 0.53: it has no sequence, and its timeout in their place. */
  readonly unordered: boolean
  /** The last block time that may include it, in nanoseconds since 1970; 0 = any. */
  readonly timeoutTimestamp: bigint
  readonly hasExtensionOptions: boolean
  /** undefined when the transaction has no fee field. */
  readonly fee: { amount: Coin[]; gasLimit: bigint; payer: string; granter: string } | undefined
  readonly signerInfos: readonly SignerInfo[]
  /** Addresses that must have signed: the messages' signers in order, each once, and then the fee payer. */
  readonly signers: readonly string[]
}

export type Handlers = ReadonlyMap<string, MessageHandler>

function decodeMessage({ typeUrl, value }: Any, handlers: Handlers): DecodedMessage {
  const handler = handlers.get(typeUrl)
  if (!handler) throw sdkError('txDecode', `unable to resolve type URL ${typeUrl}`)
  return { handler, message: handler.decode(value) }
}

/** Before SDK 0.53 a body has no such fields. @throws AbciError 2 */
function checkBodyFields({ unordered, timeoutTimestamp }: TxBody, sdk: App['sdk']): void {
  if (sdk === '0.53') return
  const unknown = unordered ? '4, WireType:"varint"' : timeoutTimestamp && '5, WireType:"bytes"'
  if (unknown) throw sdkError('txDecode', `errUnknownField "/cosmos.tx.v1beta1.TxBody": {TagNum: ${unknown}}`)
}

function decode(bytes: Uint8Array, { handlers, sdk }: Pick<App, 'handlers' | 'sdk'>): DecodedTx {
  checkStrictRaw(bytes)
  const raw = TxRaw.decode(bytes)
  const body = TxBody.decode(raw.bodyBytes)
  checkBodyFields(body, sdk)
  const { seconds, nanos } = body.timeoutTimestamp ?? { seconds: 0n, nanos: 0 }
  const { fee, signerInfos } = AuthInfo.decode(raw.authInfoBytes)
  const messages = body.messages.map(any => decodeMessage(any, handlers))
  const signers = messages.flatMap(({ handler, message }) => handler.signers(message))
  return {
    hash: txHash(bytes),
    bytes,
    raw,
    messages,
    memo: body.memo,
    timeoutHeight: body.timeoutHeight,
    unordered: body.unordered,
    timeoutTimestamp: seconds * 1_000_000_000n + BigInt(nanos),
    hasExtensionOptions: body.extensionOptions.length > 0,
    fee: fee && { ...fee, amount: fromProto(fee.amount) },
    signerInfos,
    signers: [...new Set(fee?.payer ? [...signers, fee.payer] : signers)]
  }
}

/** Decodes a transaction. @throws AbciError 2 when the bytes are not one, or a message has an unknown type */
export function decodeTx(bytes: Uint8Array, app: Pick<App, 'handlers' | 'sdk'>): DecodedTx {
  try {
    return decode(bytes, app)
  } catch (error) {
    if (error instanceof AbciError) throw error
    throw sdkError('txDecode', error instanceof Error ? error.message : String(error))
  }
}
