import type { Signer } from '../../../services/wallet/signer.ts'
import type { Process } from './process.ts'

export const WALLET_ADDRESS = 'model1wallet'

const publicKey = new Uint8Array(33).fill(2)
const signature = {
  pub_key: { type: 'tendermint/PubKeySecp256k1', value: Buffer.from(publicKey).toString('base64') },
  signature: Buffer.alloc(64, 1).toString('base64')
}

/** A wallet with a constant signature, since the model chain verifies sequences but no signatures. */
export function createModelWallet(process: Process): Signer {
  const account = { address: WALLET_ADDRESS, algo: 'secp256k1', pubkey: publicKey } as const
  return {
    address: WALLET_ADDRESS,
    publicKey,
    wallet: {
      getAccounts: async () => [account],
      signDirect: (_address, signed) => process.call('wallet.signDirect', async () => ({ signed, signature }))
    },
    signDigest: () => new Uint8Array(64)
  }
}
