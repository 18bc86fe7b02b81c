import { bounded, fromBase58, toBase58, toHex } from './bytes.ts'
import type { Ends } from './types.ts'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ACCOUNT_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** The fields have the names of `@solana/web3.js`. Addresses are in base58. */
export interface SolanaInstruction {
  programId: string
  keys: { pubkey: string; isSigner: boolean; isWritable: boolean }[]
  data: Uint8Array
}

export interface SolanaApproval {
  family: 'SOL'
  /** The pool, which becomes the delegate of the user's token account. */
  spender: string
  amount: string
  /**
   * Returns `Approve` of the SPL token program for the user's associated token account. It replaces the current
   * delegate and amount. Needs `crypto.subtle`, which browsers have on localhost and with https.
   */
  instruction(): Promise<SolanaInstruction>
}

export function solanaApproval({ owner, pool, token, amount }: Ends): SolanaApproval {
  const data = new Uint8Array(9)
  data[0] = 4
  new DataView(data.buffer).setBigUint64(1, bounded(amount, 64), true)
  const key = (pubkey: string, isSigner: boolean, isWritable: boolean) => ({ pubkey, isSigner, isWritable })
  async function instruction() {
    const account = await associatedAccount(owner, token)
    const keys = [key(account, false, true), key(pool, false, false), key(owner, true, false)]
    return { programId: TOKEN_PROGRAM, keys, data }
  }
  return { family: 'SOL', spender: pool, amount, instruction }
}

/** Returns the address of the account where wallets keep the owner's tokens. */
async function associatedAccount(owner: string, mint: string): Promise<string> {
  const seeds = [owner, TOKEN_PROGRAM, mint].flatMap(address => [...fromBase58(address)])
  const suffix = [...fromBase58(ACCOUNT_PROGRAM), ...new TextEncoder().encode('ProgramDerivedAddress')]
  for (let bump = 255; ; bump -= 1) {
    const digest = await crypto.subtle.digest('SHA-256', Uint8Array.of(...seeds, bump, ...suffix))
    const address = new Uint8Array(digest)
    if (!isOnCurve(address)) return toBase58(address)
  }
}

const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** Whether the bytes are a point of ed25519, so a private key might exist: then x² = base is a square (Euler). */
function isOnCurve(bytes: Uint8Array): boolean {
  const square = (BigInt(`0x${toHex(bytes.toReversed())}`) & (2n ** 255n - 1n)) ** 2n % P
  let base = ((square - 1n) * (D * square + 1n)) % P
  let power = 1n
  for (let exponent = (P - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent % 2n === 1n) power = (power * base) % P
    base = (base * base) % P
  }
  return power !== P - 1n
}
