import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { transactionHash } from '../../chain-client/index.ts'
import type { Signer } from '../../wallet/signer.ts'

/** The account for which a transaction is signed. */
export interface SigningAccount {
  chainId: string
  accountNumber: bigint
}

export interface TransactionPlan {
  messages: Any[]
  sequence: number
  gasLimit: number
  /** In base units of `denom`. */
  feeAmount: bigint
  denom: string
}

function encodeParts({ publicKey }: Signer, plan: TransactionPlan) {
  const amount = plan.feeAmount > 0n ? [{ denom: plan.denom, amount: String(plan.feeAmount) }] : []
  const signer = {
    publicKey: { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key: publicKey }).finish() },
    modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
    sequence: BigInt(plan.sequence)
  }
  const authInfo = { signerInfos: [signer], fee: { amount, gasLimit: BigInt(plan.gasLimit) } }
  return {
    bodyBytes: TxBody.encode(TxBody.fromPartial({ messages: plan.messages })).finish(),
    authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial(authInfo)).finish()
  }
}

/**
 * Signs messages that are already encoded, so that the stored bytes are the signed bytes.
 * @returns the transaction and its hash
 */
export async function signTransaction(wallet: Signer, account: SigningAccount, plan: TransactionPlan) {
  const { bodyBytes, authInfoBytes } = encodeParts(wallet, plan)
  const document = SignDoc.encode(SignDoc.fromPartial({ bodyBytes, authInfoBytes, ...account })).finish()
  const signatures = [await wallet.sign(document)]
  const bytes = TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes, signatures })).finish()
  return { bytes, hash: transactionHash(bytes) }
}

/** @returns the transaction for a simulation: with an empty signature and no fee */
export function unsignedTransaction(wallet: Signer, messages: Any[], sequence: number): Uint8Array {
  const plan = { messages, sequence, gasLimit: 0, feeAmount: 0n, denom: '' }
  return TxRaw.encode(
    TxRaw.fromPartial({ ...encodeParts(wallet, plan), signatures: [new Uint8Array()] })
  ).finish()
}
