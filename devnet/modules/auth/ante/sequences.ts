import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import type { ModeInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { sdkError } from '../../../chain/errors.ts'
import { setAccount } from '../accounts.ts'
import { decodePublicKey, fromStored } from '../public-keys.ts'
import type { AnteContext } from './context.ts'
import { signerAccount } from './public-keys.ts'

function isAmino(modeInfo: ModeInfo | undefined): boolean {
  if (modeInfo?.multi) return modeInfo.multi.modeInfos.every(isAmino)
  return modeInfo?.single?.mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON
}

/** Each signer must have signed, with its account's current sequence unless unordered. @throws AbciError 32, 18 or 4 */
export function verifySignatures(context: AnteContext): void {
  const { app, tx, mode, height } = context
  if (tx.signerInfos.length !== tx.signers.length) {
    throw sdkError(
      'unauthorized',
      `invalid number of signer;  expected: ${tx.signers.length}, got ${tx.signerInfos.length}`
    )
  }
  for (const [index, signerInfo] of tx.signerInfos.entries()) {
    const stored = signerAccount(context, tx.signers[index] ?? '')
    const account = height === 0 ? { ...stored, accountNumber: 0n } : stored
    if (!account.pubKey && mode !== 'simulate') {
      throw sdkError('invalidPubKey', 'pubkey on account is not set')
    }
    if (tx.unordered && signerInfo.sequence !== 0n) {
      throw sdkError('invalidRequest', 'sequence is not allowed for unordered transactions')
    }
    if (!tx.unordered && signerInfo.sequence !== account.sequence) {
      throw sdkError(
        'wrongSequence',
        `account sequence mismatch, expected ${account.sequence}, got ${signerInfo.sequence}`
      )
    }
    if (mode === 'simulate' || mode === 'recheck' || !account.pubKey) continue
    const key = decodePublicKey(fromStored(account.pubKey))
    if (!app.verifySignature(tx, index, key, account)) {
      const sequence = isAmino(signerInfo.modeInfo) ? `, sequence (${account.sequence})` : ''
      throw sdkError(
        'unauthorized',
        `signature verification failed; please verify account number (${account.accountNumber})${sequence} and chain-id (${app.chainId})`
      )
    }
  }
}

/** Increments each signer's sequence, unless the transaction is unordered. */
export function incrementSequences(context: AnteContext): void {
  if (context.tx.unordered) return
  for (const signer of context.tx.signers) {
    const account = signerAccount(context, signer)
    setAccount(context.state, { ...account, sequence: account.sequence + 1n })
  }
}
