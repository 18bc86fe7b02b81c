import { makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { LRUCache } from 'lru-cache'
import type { Account } from '../auth/accounts.ts'
import type { DecodedTx } from './decode.ts'

/** Returns whether the signature at `index` is valid and has the mode `SIGN_MODE_DIRECT`. */
export type SignatureVerifier = (tx: DecodedTx, index: number, key: Uint8Array, account: Account) => boolean

const REMEMBERED = 20_000

/**
 * Creates a signature verifier. Caches valid signatures between CheckTx and the block, because verification is slow.
 */
export function createSignatureVerifier(chainId: string): SignatureVerifier {
  const verified = new LRUCache<string, true>({ max: REMEMBERED })

  return (tx, index, key, account) => {
    const signature = tx.raw.signatures[index]
    if (tx.signerInfos[index]?.modeInfo?.single?.mode !== SignMode.SIGN_MODE_DIRECT || !signature)
      return false
    // The account's stored key never changes, so the account number identifies it.
    const memo = `${tx.hash}/${index}/${account.accountNumber}/${account.sequence}`
    if (verified.has(memo)) return true
    const { bodyBytes, authInfoBytes } = tx.raw
    const document = makeSignDoc(bodyBytes, authInfoBytes, chainId, account.accountNumber)
    if (!verify(key, signature, makeSignBytes(document))) return false
    verified.set(memo, true)
    return true
  }
}

/** Like the SDK, rejects signatures with a high s value. */
function verify(key: Uint8Array, signature: Uint8Array, signBytes: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, signBytes, key, { lowS: true })
  } catch {
    // The key is not on the curve, or a number has the wrong length or is out of range.
    return false
  }
}
