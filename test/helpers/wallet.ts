import { createSigner } from '../../services/wallet/signer.ts'

/** Wallet of the first BIP-39 test phrase, which is public and has no funds. */
export const wallet = await createSigner({ mnemonic: `${'abandon '.repeat(11)}about`, prefix: 'service' })
