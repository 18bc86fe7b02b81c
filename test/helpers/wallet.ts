import { createSigner } from '../../services/wallet/signer.ts'

/** The wallet of the first phrase of the BIP-39 standard, which is public and has no funds. */
export const wallet = await createSigner({ mnemonic: `${'abandon '.repeat(11)}about`, prefix: 'service' })
