import { toBase64 } from '@cosmjs/encoding'
import { type Account, getAccount, setAccount } from '../../auth/accounts.ts'
import { decodePublicKey, fromStored, publicKeyAddress, toStored } from '../../auth/public-keys.ts'
import { sdkError } from '../../errors.ts'
import type { AnteContext } from './context.ts'

const VERIFY_COST = 1000

/** @throws AbciError 9 when the account does not exist */
function signerAccount({ state }: AnteContext, address: string): Account {
  const account = getAccount(state, address)
  if (!account) throw sdkError('unknownAddress', `account ${address} does not exist`)
  return account
}

/** Stores the public keys of first-time signers. @throws AbciError 8 when a key does not match the signer's address */
export function setPublicKeys(context: AnteContext): void {
  const { app, tx, mode, state, emit } = context
  for (const [index, { publicKey: any }] of tx.signerInfos.entries()) {
    const signer = tx.signers[index]
    if (signer === undefined || !any?.typeUrl) continue
    const key = decodePublicKey(any)
    if ((mode === 'check' || mode === 'deliver') && publicKeyAddress(key, app.prefix) !== signer) {
      throw sdkError(
        'invalidPubKey',
        `pubKey does not match signer address ${signer} with signer index: ${index}`
      )
    }
    const account = signerAccount(context, signer)
    if (!account.pubKey) setAccount(state, { ...account, pubKey: toStored(any) })
  }
  if (tx.signerInfos.some(({ modeInfo }) => modeInfo === undefined)) {
    throw sdkError('unauthorized', 'got empty SignatureData')
  }
  for (const [index, { sequence }] of tx.signerInfos.entries()) {
    emit('tx', { acc_seq: `${tx.signers[index] ?? ''}/${sequence}` })
    emit('tx', { signature: toBase64(tx.raw.signatures[index] ?? new Uint8Array()) })
  }
}

/** Charges gas for verifying each signature. @throws AbciError 8 when the account has no public key */
export function consumeSignatureGas(context: AnteContext): void {
  const { tx, meter, mode } = context
  for (const index of tx.signerInfos.keys()) {
    const stored = signerAccount(context, tx.signers[index] ?? '').pubKey
    if (!stored && mode !== 'simulate') throw sdkError('invalidPubKey', 'unrecognized public key type: <nil>')
    meter.consume(VERIFY_COST, 'ante verify: secp256k1')
  }
}

/** Verifies all signatures and sequences. @throws AbciError 32 or 4 */
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
    if (signerInfo.sequence !== account.sequence) {
      throw sdkError(
        'wrongSequence',
        `account sequence mismatch, expected ${account.sequence}, got ${signerInfo.sequence}`
      )
    }
    if (mode === 'simulate' || mode === 'recheck' || !account.pubKey) continue
    const key = decodePublicKey(fromStored(account.pubKey))
    if (!app.verifySignature(tx, index, key, account)) {
      throw sdkError(
        'unauthorized',
        `signature verification failed; please verify account number (${account.accountNumber}) and chain-id (${app.chainId})`
      )
    }
  }
}

export function incrementSequences(context: AnteContext): void {
  for (const signer of context.tx.signers) {
    const account = signerAccount(context, signer)
    setAccount(context.state, { ...account, sequence: account.sequence + 1n })
  }
}
