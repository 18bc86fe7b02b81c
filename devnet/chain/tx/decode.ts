import { AuthInfo, type Fee, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Coin, fromProto } from '../../modules/bank/coins.ts'
import type { App } from '../app.ts'
import { AbciError, sdkError } from '../errors.ts'
import { txHash } from '../hashes.ts'
import type { MessageHandler } from '../module.ts'
import { checkKnownFields, fieldsUpTo } from './proto-fields.ts'
import { checkStrictRaw } from './strict-raw.ts'

export interface DecodedMessage {
  readonly handler: MessageHandler
  readonly message: unknown
}

interface DecodedFee {
  /** Without the coins whose amount is an empty text. */
  readonly amount: Coin[]
  readonly hasEmptyAmount: boolean
  readonly gasLimit: bigint
  readonly payer: string
  readonly granter: string
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
  readonly fee: DecodedFee | undefined
  readonly signerInfos: readonly SignerInfo[]
  /** Addresses that must have signed: the messages' signers in order, each once, and then the fee payer. */
  readonly signers: readonly string[]
}

export type Handlers = ReadonlyMap<string, MessageHandler>

const BODY_FIELDS = [1, 2, 3, 1023, 2047]
/** `unordered` and `timeout_timestamp`. */
const BODY_FIELDS_053 = [...BODY_FIELDS, 4, 5]
const AUTH_INFO = { name: '*tx.AuthInfo', numbers: fieldsUpTo(3) }

function decodeMessage({ typeUrl, value }: Any, handlers: Handlers): DecodedMessage {
  const handler = handlers.get(typeUrl)
  if (!handler) throw sdkError('txDecode', `unable to resolve type URL ${typeUrl}`)
  const name = `*types.${typeUrl.split('.').at(-1)}`
  checkKnownFields(value, { name, numbers: fieldsUpTo(handler.highestField) })
  return { handler, message: handler.decode(value) }
}

/** Refuses fields that the types do not have: a signer may rely on what they say. @throws AbciError 2 */
function checkFields({ bodyBytes, authInfoBytes }: TxRaw, sdk: App['sdk']): void {
  const numbers = new Set(sdk === '0.53' ? BODY_FIELDS_053 : BODY_FIELDS)
  checkKnownFields(bodyBytes, { name: '*tx.TxBody', numbers, allowsUncritical: true })
  checkKnownFields(authInfoBytes, AUTH_INFO)
}

function decodeFee(fee: Fee): DecodedFee {
  const amount = fee.amount.filter(coin => coin.amount !== '')
  return { ...fee, amount: fromProto(amount), hasEmptyAmount: amount.length < fee.amount.length }
}

function decode(bytes: Uint8Array, { handlers, sdk }: Pick<App, 'handlers' | 'sdk'>): DecodedTx {
  checkStrictRaw(bytes)
  const raw = TxRaw.decode(bytes)
  checkFields(raw, sdk)
  const body = TxBody.decode(raw.bodyBytes)
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
    fee: fee && decodeFee(fee),
    signerInfos,
    signers: [...new Set(fee?.payer ? [...signers, fee.payer] : signers)]
  }
}

/** Decodes a transaction. @throws AbciError 2 when the bytes are not one, or a message has an unknown type */
export function decodeTx(bytes: Uint8Array, app: Pick<App, 'handlers' | 'sdk'>): DecodedTx {
  try {
    return decode(bytes, app)
  } catch (thrown) {
    const error = thrown instanceof AbciError ? thrown : sdkError('txDecode', 'invalid length')
    // Since 0.50 the error is wrapped in itself.
    throw app.sdk === '0.47' ? error : sdkError('txDecode', error.message)
  }
}
