import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import type { DecodedTx } from '../../chain/tx/decode.ts'
import type { Account } from './accounts.ts'

/** Whether the signature at `index` of a transaction is its signer's, in the mode `SIGN_MODE_DIRECT`. */
export type SignatureVerifier = (tx: DecodedTx, index: number, key: Uint8Array, account: Account) => boolean

const REMEMBERED = 20_000

/** Half of the order of secp256k1: of the two valid signatures, chains accept the one with the lower s. */
const halfOrder = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex')

/**
 * Creates the verifier of a chain. It remembers valid signatures: each is checked for the mempool and again for the
 * block, and verification is most of a transaction's cost.
 */
export function createSignatureVerifier(chainId: string): SignatureVerifier {
  const verified = new Set<string>()

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
    if (verified.size >= REMEMBERED) {
      for (const oldest of verified) {
        verified.delete(oldest)
        break
      }
    }
    verified.add(memo)
    return true
  }
}

function verify(key: Uint8Array, signature: Uint8Array, signBytes: Uint8Array): boolean {
  if (signature.length !== 64 || Buffer.compare(signature.subarray(32), halfOrder) > 0) return false
  try {
    return Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(signature), sha256(signBytes), key)
  } catch {
    // The key is not a point on the curve, or a number is out of range.
    return false
  }
}
