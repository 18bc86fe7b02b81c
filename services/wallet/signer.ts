import { Bip39, EnglishMnemonic, Secp256k1, Slip10, Slip10Curve, sha256 } from '@cosmjs/crypto'
import { DirectSecp256k1Wallet, makeCosmoshubPath, type OfflineDirectSigner } from '@cosmjs/proto-signing'
import { mnemonicProblem } from './mnemonic.ts'

/** The service's wallet (interface 17.1): one account, which can also sign bytes. No property exposes the private key. */
export interface Signer extends OfflineDirectSigner {
  readonly address: string
  /** Compressed secp256k1 public key, 33 bytes. */
  readonly publicKey: Uint8Array
  /** Signs the SHA-256 of a message. @returns 64 bytes: r‖s of the deterministic (RFC 6979), low-s signature */
  sign(message: Uint8Array): Promise<Uint8Array>
}

/**
 * Derives the wallet of a BIP-39 phrase without a passphrase at m/44'/118'/0'/0/0 (interface 17.1).
 * @throws Error if the phrase is invalid; the message contains none of its words
 */
export async function createSigner(options: { mnemonic: string; prefix: string }): Promise<Signer> {
  const { mnemonic, prefix } = options
  // CosmJS's error would contain the wrong word.
  if (mnemonicProblem(mnemonic) !== undefined) {
    throw new Error('The mnemonic is not a valid English BIP-39 phrase')
  }
  const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(mnemonic))
  const { privkey } = Slip10.derivePath(Slip10Curve.Secp256k1, seed, makeCosmoshubPath(0))
  const wallet = await DirectSecp256k1Wallet.fromKey(privkey, prefix)
  const [account] = await wallet.getAccounts()
  if (account === undefined) throw new TypeError('the wallet has no account')

  return {
    address: account.address,
    publicKey: account.pubkey,
    getAccounts: () => wallet.getAccounts(),
    signDirect: (address, document) => wallet.signDirect(address, document),
    sign: async message =>
      Secp256k1.trimRecoveryByte(Secp256k1.createSignature(sha256(message), privkey).toFixedLength())
  }
}
