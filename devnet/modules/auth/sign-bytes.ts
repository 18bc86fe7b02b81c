import { makeSignDoc as makeAminoSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import type { DecodedTx } from '../../chain/tx/decode.ts'
import { toProto } from '../bank/coins.ts'
import type { Account } from './accounts.ts'

function directSignBytes({ raw }: DecodedTx, chainId: string, { accountNumber }: Account): Uint8Array {
  return makeSignBytes(makeSignDoc(raw.bodyBytes, raw.authInfoBytes, chainId, accountNumber))
}

function aminoSignBytes(tx: DecodedTx, chainId: string, account: Account): Uint8Array | undefined {
  const messages = tx.messages.map(({ handler, message }) => handler.toAmino?.(message))
  const known = messages.filter(message => message !== undefined)
  if (known.length !== messages.length) return undefined
  const { amount, gasLimit, payer, granter } = tx.fee
  const fee = {
    amount: toProto(amount),
    gas: gasLimit.toString(),
    ...(payer && { payer }),
    ...(granter && { granter })
  }
  const { accountNumber, sequence } = account
  const timeout = tx.timeoutHeight || undefined
  return serializeSignDoc(
    makeAminoSignDoc(known, fee, chainId, tx.memo, accountNumber.toString(), sequence.toString(), timeout)
  )
}

/** What the account signs in a mode; undefined for modes and messages that this chain cannot check. */
export function signBytes(
  tx: DecodedTx,
  mode: SignMode,
  chainId: string,
  account: Account
): Uint8Array | undefined {
  if (mode === SignMode.SIGN_MODE_DIRECT) return directSignBytes(tx, chainId, account)
  if (mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON) return aminoSignBytes(tx, chainId, account)
  return undefined
}
