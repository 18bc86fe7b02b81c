import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { encodePubkey } from '@cosmjs/proto-signing'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { App } from '../../../packages/devnet/chain/tx/app.ts'
import { DENOM } from './app.ts'
import { type ModelMessage, REQUEST_TYPES } from './messages.ts'

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
