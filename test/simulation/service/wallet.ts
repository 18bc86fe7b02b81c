import { encodeSecp256k1Signature } from '@cosmjs/amino'
import type { Signer } from '../../../services/wallet/signer.ts'
import type { Process } from './process.ts'

export const WALLET_ADDRESS = 'model1wallet'

export const PUBLIC_KEY = new Uint8Array(33).fill(2)
const signature = encodeSecp256k1Signature(PUBLIC_KEY, new Uint8Array(64).fill(1))

/** Creates a wallet with a constant signature: the model chain verifies sequences but not signatures. */
export function createModelWallet(process: Process): Signer {
  return {
    address: WALLET_ADDRESS,
    publicKey: PUBLIC_KEY,
    getAccounts: async () => [{ address: WALLET_ADDRESS, algo: 'secp256k1', pubkey: PUBLIC_KEY }],
    signDirect: (_address, signed) => process.call('wallet.sign', async () => ({ signed, signature })),
    sign: async () => new Uint8Array(64)
  }
}
