import type { DecodedTx } from '../../chain/tx/decode.ts'
import type { Account } from './accounts.ts'
import type { PublicKey } from './public-keys.ts'
import { signBytes } from './sign-bytes.ts'
import { verify } from './signatures.ts'

/** Whether the signature at `index` of a transaction is its signer's. */
export type SignatureVerifier = (tx: DecodedTx, index: number, key: PublicKey, account: Account) => boolean

const REMEMBERED = 20_000

/**
 * Creates the verifier of a chain. It remembers valid signatures: each is checked for the mempool and again for the
 * block, and verification is most of a transaction's cost.
 */
export function createSignatureVerifier(chainId: string): SignatureVerifier {
  const verified = new Set<string>()

  return (tx, index, key, account) => {
    const modeInfo = tx.signerInfos[index]?.modeInfo
    const signature = tx.raw.signatures[index]
    if (!modeInfo || !signature) return false
    // The account's stored key never changes, so the account number identifies it.
    const memo = `${tx.hash}/${index}/${account.accountNumber}/${account.sequence}`
    if (verified.has(memo)) return true
    if (!verify(key, modeInfo, signature, mode => signBytes(tx, mode, chainId, account))) return false
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
