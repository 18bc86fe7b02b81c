import { toBase64 } from '@cosmjs/encoding'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { sdkError } from '../../../chain/errors.ts'
import { type Account, getAccount, setAccount } from '../accounts.ts'
import { decodePublicKey, publicKeyAddress, toStored } from '../public-keys.ts'
import type { AnteContext } from './context.ts'

/** The account of a signer. @throws AbciError 9 */
export function signerAccount({ state }: AnteContext, address: string): Account {
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
