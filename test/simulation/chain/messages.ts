import { encodeSecp256k1Pubkey, rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { toBech32 } from '@cosmjs/encoding'
import { encodePubkey } from '@cosmjs/proto-signing'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { App } from '../../../packages/devnet/chain/tx/app.ts'
import type { Identity } from '../../../services/submission/contract.ts'

/** How messages behave on the chain that are not plain. Users can cause the strings that some of them quote. */
export const BEHAVIOURS = [
  'poison', // Fails in simulations and in blocks.
  'hidden-poison', // Passes simulations but fails in a block.
  'forbidden', // Fails because the user lacks permission; the wallet itself is fine.
  'mocking', // Fails with an error string that quotes an unrelated error.
  'echoing', // Succeeds with an event that quotes an error.
  'malformed', // Fails CheckTx. CheckTx reports no message index, so the message blocks every transaction that contains it.
  'refused-by-event', // Succeeds with an `error` event.
  'hungry', // Needs about twice the simulated gas.
  'insatiable', // Needs far more than the simulated gas.
  'heavy', // Needs most of a block's gas, or most of the gas limit per message.
  'oversized' // Needs more gas than a block has.
] as const

export type Behaviour = 'plain' | (typeof BEHAVIOURS)[number]

export const PREFIX = 'model'
export const DENOM = 'unit'
export const addressOf = (publicKey: Uint8Array) =>
  toBech32(PREFIX, rawSecp256k1PubkeyToRawAddress(publicKey))

export const PUBLIC_KEY = new Uint8Array(33).fill(2)
export const WALLET_ADDRESS = addressOf(PUBLIC_KEY)

const MESSAGE_TYPE = '/model.Request'

/** The registration of a lock, which the engine recognizes. */
const LOCK_TYPE = '/model.MsgRequestHtlcLock'

export const REQUEST_TYPES: readonly string[] = [MESSAGE_TYPE, LOCK_TYPE]

export interface ModelMessage {
  identity: string
  content: string
  behaviour: Behaviour
}

export function encodeMessage({ identity, content, behaviour }: ModelMessage): Uint8Array {
  return Buffer.from(`${identity} ${content} ${behaviour} ${WALLET_ADDRESS}`)
}

export function readRequest(value: Uint8Array): ModelMessage {
  const [identity = '', content = '', behaviour] = Buffer.from(value).toString().split(' ')
  return { identity, content, behaviour: BEHAVIOURS.find(name => name === behaviour) ?? 'plain' }
}

/** The names of a rail's payments begin with it. */
export const PAYMENT = 'payment-'

/** The names of transfers that the chain refuses before their lock is registered begin with it. */
export const PAIRED = 'btc-'

/** Returns the name of the lock that a transfer needs; undefined if it needs none. */
export const lockOf = (identity: string) => (identity.startsWith(PAIRED) ? `lock-${identity}` : undefined)

export const isLockName = (identity: string) => identity.startsWith(`lock-${PAIRED}`)

/** The target of a payment. Contents with the same first word have the same target. */
export const targetOf = (content: string) => content.split('-')[0] ?? ''

function identitiesOf({ identity, content }: ModelMessage): Identity[] {
  if (identity.startsWith(PAYMENT)) return [{ kind: 'payment', value: identity, target: targetOf(content) }]
  return [{ kind: isLockName(identity) ? 'registration' : 'fee', value: identity }]
}

export const requestOf = (message: ModelMessage) => ({
  identities: identitiesOf(message),
  typeUrl: isLockName(message.identity) ? LOCK_TYPE : MESSAGE_TYPE,
  message: encodeMessage(message)
})

export const CONTROL_REQUEST = 'controlRequest'

/** A transaction as the faults and the oracle see it. */
export type ModelTransaction = ReturnType<typeof readTransaction>

export function readTransaction({ decode }: Pick<App, 'decode'>, bytes: Uint8Array) {
  const { hash, messages, fee, raw } = decode(bytes)
  const requests = messages.filter(({ handler }) => REQUEST_TYPES.includes(handler.typeUrl))
  return {
    hash,
    /** A program that is not the service leaves a memo. */
    isForeign: TxBody.decode(raw.bodyBytes).memo !== '',
    gasLimit: Number(fee.gasLimit),
    fee: Number(fee.amount[0]?.amount ?? 0n),
    requests: requests.map(({ message }) => message as ModelMessage),
    messageCount: messages.length
  }
}

/** Encodes a transaction whose signatures only say the signers' account numbers. A signer may omit a known key. */
export function encodeTransaction(options: {
  messages: readonly Any[]
  signers: readonly { sequence: number; accountNumber: number; publicKey: Uint8Array | undefined }[]
  gasLimit?: number
  fee?: number
  memo?: string
  unordered?: boolean
}): Uint8Array {
  const { messages, signers, gasLimit = 0, fee = 0, memo = '', unordered = false } = options
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [...messages], memo, unordered })).finish()
  const signerInfos = signers.map(({ sequence, publicKey }) => ({
    sequence: BigInt(sequence),
    modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
    ...(publicKey && { publicKey: encodePubkey(encodeSecp256k1Pubkey(publicKey)) })
  }))
  const amount = fee > 0 ? [{ denom: DENOM, amount: String(fee) }] : []
  const authInfo = AuthInfo.fromPartial({ signerInfos, fee: { amount, gasLimit: BigInt(gasLimit) } })
  return TxRaw.encode({
    bodyBytes,
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
    signatures: signers.map(({ accountNumber }) => signatureFor(accountNumber))
  }).finish()
}

export const signatureFor = (accountNumber: number) => new Uint8Array(64).fill(accountNumber)
