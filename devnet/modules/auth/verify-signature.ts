import type { DecodedTx } from '../../chain/tx/decode.ts'
import type { Account } from './accounts.ts'
import type { PublicKey } from './public-keys.ts'
import { signBytes } from './sign-bytes.ts'
import { verify } from './signatures.ts'

/** Whether the signature at `index` of a transaction is its signer's. */
export type SignatureVerifier = (tx: DecodedTx, index: number, key: PublicKey, account: Account) => boolean

const REMEMBERED = 20_000

/**
 * Makes the verifier of a chain. It remembers the signatures that it has found good: each is checked once for the
 * mempool and once for the block, and verifying is most of what a transaction costs.
 */
export function createSignatureVerifier(chainId: string): SignatureVerifier {
  const verified = new Set<string>()

  return (tx, index, key, account) => {
    const modeInfo = tx.signerInfos[index]?.modeInfo
    const signature = tx.raw.signatures[index]
    if (!modeInfo || !signature) return false
    // The account's stored key never changes, so that the account number stands for it.
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
