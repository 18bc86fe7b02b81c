import { Bip39, EnglishMnemonic, Secp256k1, Slip10, Slip10Curve } from '@cosmjs/crypto'
import { DirectSecp256k1Wallet, makeCosmoshubPath, type OfflineDirectSigner } from '@cosmjs/proto-signing'

/** The service's wallet (interface 17.1). No property leads to the private key; only the sign functions hold it. */
export interface Signer {
  /** Bech32 address on the chain. */
  address: string
  /** Compressed secp256k1 public key, 33 bytes. */
  publicKey: Uint8Array
  wallet: OfflineDirectSigner
  /**
   * Signs a 32-byte digest: 64 bytes r‖s of the deterministic (RFC 6979) low-s secp256k1 signature.
   * @throws RangeError for a digest of another length
   */
  signDigest(digest: Uint8Array): Uint8Array
}

/**
 * Derives the wallet of a BIP-39 phrase without a passphrase at m/44'/118'/0'/0/0 (interface 17.1). The derivation is
 * slow by design, so it happens once, here.
 *
 * @throws Error when the phrase is not valid; the text holds no word of it
 */
export async function createSigner(options: { mnemonic: string; prefix: string }): Promise<Signer> {
  const key = await derivePrivateKey(options.mnemonic)
  const holder = await DirectSecp256k1Wallet.fromKey(key, options.prefix)
  const accounts = await holder.getAccounts()
  const account = accounts[0]
  if (account === undefined) throw new Error('The wallet has no account')

  return {
    address: account.address,
    publicKey: account.pubkey,
    // CosmJS keeps the key in a visible property, so that a logged signer would show it.
    wallet: {
      getAccounts: async () => accounts,
      signDirect: (address, document) => holder.signDirect(address, document)
    },
    signDigest(digest) {
      if (digest.length !== 32) throw new RangeError('A digest has 32 bytes')
      return Secp256k1.createSignature(digest, key).toFixedLength().slice(0, 64)
    }
  }
}

async function derivePrivateKey(mnemonic: string): Promise<Uint8Array> {
  const seed = await Bip39.mnemonicToSeed(parseMnemonic(mnemonic))
  return Slip10.derivePath(Slip10Curve.Secp256k1, seed, makeCosmoshubPath(0)).privkey
}

/** The parser's errors quote words of the phrase, so they are dropped, not even kept as a cause. */
function parseMnemonic(mnemonic: string): EnglishMnemonic {
  try {
    return new EnglishMnemonic(mnemonic)
  } catch {
    throw new Error('The mnemonic is not a valid English BIP-39 phrase')
  }
}
