import { makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { LRUCache } from 'lru-cache'
import type { DecodedTx } from '../../chain/tx/decode.ts'
import type { Account } from './accounts.ts'

/** Whether the signature at `index` of a transaction is its signer's, in the mode `SIGN_MODE_DIRECT`. */
export type SignatureVerifier = (tx: DecodedTx, index: number, key: Uint8Array, account: Account) => boolean

const REMEMBERED = 20_000

/**
 * Creates the verifier of a chain. It remembers valid signatures: each is checked for the mempool and again for the
 * block, and verification is most of a transaction's cost.
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

/** As on a chain, only the one of the two valid signatures with the lower s counts. */
function verify(key: Uint8Array, signature: Uint8Array, signBytes: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, signBytes, key, { lowS: true })
  } catch {
    // The key is not a point on the curve, or a number has a wrong length or is out of range.
    return false
  }
}
