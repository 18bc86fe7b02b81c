import { createSigner } from '../../services/wallet/signer.ts'

/** The wallet of the BIP-39 standard's first phrase: public, it guards nothing. */
export const wallet = await createSigner({ mnemonic: `${'abandon '.repeat(11)}about`, prefix: 'service' })
