import { toBase64 } from '@cosmjs/encoding'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import type { ModeInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { sdkError } from '../../../chain/errors.ts'
import { type Account, getAccount, setAccount } from '../accounts.ts'
import { decodePublicKey, fromStored, type PublicKey, publicKeyAddress, toStored } from '../public-keys.ts'
import { isBitSet } from '../signatures.ts'
import { type AnteContext, MAX_SIGNATURES } from './context.ts'

const VERIFY_COST = 1000

/** The account of a signer. @throws AbciError 9 */
function signerAccount({ state }: AnteContext, address: string): Account {
  const account = getAccount(state, address)
  if (!account) throw sdkError('unknownAddress', `account ${address} does not exist`)
  return account
}

/** The signatures in base64 as they are indexed: the parts of a multisignature come before it. */
function* signaturesOf({ tx }: AnteContext, index: number): Generator<string> {
  const signature = tx.raw.signatures[index] ?? new Uint8Array()
  if (tx.signerInfos[index]?.modeInfo?.multi) {
    for (const single of MultiSignature.decode(signature).signatures) yield toBase64(single)
  }
  yield toBase64(signature)
}

/** Stores the key of each signer that signs for the first time. @throws AbciError 8 for the key of another address */
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
    if (!tx.unordered) emit('tx', { acc_seq: `${tx.signers[index] ?? ''}/${sequence}` })
    for (const signature of signaturesOf(context, index)) emit('tx', { signature })
  }
}

function countKeys(key: PublicKey): number {
  return key.kind === 'multisig' ? key.keys.reduce((sum, part) => sum + countKeys(part), 0) : 1
}

/** @throws AbciError 14 for too many keys; each key inside a multisig key counts */
export function checkSignatureCount({ tx }: AnteContext): void {
  let count = 0
  for (const { publicKey } of tx.signerInfos) {
    if (publicKey?.typeUrl) count += countKeys(decodePublicKey(publicKey))
    if (count > MAX_SIGNATURES)
      throw sdkError('tooManySignatures', `signatures: ${count}, limit: ${MAX_SIGNATURES}`)
  }
}

/** Gas for each signature to verify. @throws AbciError 8 when the chain has no key for the account */
export function consumeSignatureGas(context: AnteContext): void {
  const { tx, meter, mode } = context
  for (const [index, { modeInfo }] of tx.signerInfos.entries()) {
    const stored = signerAccount(context, tx.signers[index] ?? '').pubKey
    if (!stored && mode !== 'simulate') throw sdkError('invalidPubKey', 'unrecognized public key type: <nil>')
    const key = stored && decodePublicKey(fromStored(stored))
    const parts = key?.kind === 'multisig' ? key.keys : [undefined]
    const bits = key?.kind === 'multisig' ? modeInfo?.multi?.bitarray : undefined
    for (const [part] of parts.entries()) {
      if (key?.kind === 'multisig' && !(bits && isBitSet(bits, part))) continue
      meter.consume(VERIFY_COST, 'ante verify: secp256k1')
    }
  }
}

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
