import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { fromBase64 } from '@cosmjs/encoding'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { transactionHash } from '../chain-client/index.ts'
import type { SignedTx, Signer, WalletState } from './contract.ts'

/** The fee is in base units of `denom`. */
type TransactionPlan = Pick<SignedTx, 'sequence' | 'gasLimit' | 'feeAmount'> & {
  messages: Any[]
  denom: string
}

function encodeParts({ publicKey }: Signer, plan: TransactionPlan) {
  const { messages, sequence, gasLimit, feeAmount, denom } = plan
  const signer = { pubkey: encodePubkey(encodeSecp256k1Pubkey(publicKey)), sequence }
  const fee = feeAmount > 0n ? [{ denom, amount: String(feeAmount) }] : []
  return {
    bodyBytes: TxBody.encode(TxBody.fromPartial({ messages })).finish(),
    authInfoBytes: makeAuthInfoBytes([signer], fee, gasLimit, undefined, undefined)
  }
}

/**
 * Signs the encoded messages, so that the stored bytes are the signed bytes.
 * @throws Error if the signer signed a different document, for example because a user changed the fee
 */
export async function signTransaction(
  wallet: Signer,
  account: Pick<WalletState, 'chainId' | 'accountNumber'>,
  plan: TransactionPlan
) {
  const { bodyBytes, authInfoBytes } = encodeParts(wallet, plan)
  const document = makeSignDoc(bodyBytes, authInfoBytes, account.chainId, account.accountNumber)
  const { signed, signature } = await wallet.signDirect(wallet.address, structuredClone(document))
  if (Buffer.compare(makeSignBytes(signed), makeSignBytes(document)) !== 0) {
    throw new Error('the signer changed the transaction')
  }
  const signatures = [fromBase64(signature.signature)]
  const bytes = TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes, signatures })).finish()
  return { bytes, hash: transactionHash(bytes) }
}

/** The gas limit of the control transfer, well above the gas of a coin transfer. */
export const CONTROL_GAS = 200_000

const registry = new Registry([[MsgSend.typeUrl, MsgSend]])

/** Builds a transfer of one base unit from the wallet to itself, which succeeds whenever the wallet can pay the fee. */
export function controlTransfer(address: string, denom: string): Any {
  const value = { fromAddress: address, toAddress: address, amount: [{ denom, amount: '1' }] }
  return registry.encodeAsAny({ typeUrl: MsgSend.typeUrl, value })
}

/** Returns the denomination of a transaction's fee; undefined without a fee. */
export function feeDenomOf({ bytes }: { bytes: Uint8Array }): string | undefined {
  return AuthInfo.decode(TxRaw.decode(bytes).authInfoBytes).fee?.amount[0]?.denom
}

/** Returns whether a message registers a lock of bitcoins, for the transfer after it. */
export const isLock = (typeUrl = ''): boolean => typeUrl.endsWith('.MsgRequestHtlcLock')

export function messagesOf({ bytes }: { bytes: Uint8Array }): Any[] {
  return TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages
}
