import type { Signer } from '../../../services/wallet/signer.ts'
import type { Process } from './process.ts'

export const WALLET_ADDRESS = 'model1wallet'

const publicKey = new Uint8Array(33).fill(2)
const signature = new Uint8Array(64).fill(1)

/** A wallet with a constant signature, since the model chain verifies sequences but no signatures. */
export function createModelWallet(process: Process): Signer {
  return {
    address: WALLET_ADDRESS,
    publicKey,
    sign: () => process.call('wallet.sign', async () => signature),
    signDigest: () => new Uint8Array(64)
  }
}
