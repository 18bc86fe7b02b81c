import { base58, createBase58check, hex } from '@scure/base'
import { p2wpkh, TEST_NETWORK } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import { type Account, createWalletClient, http, type Transport, type WalletClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { concat, hexToBytes, keccak256, sha256, stringToBytes } from 'viem/utils'

/** A key that signs as the paying user on the chains of one family. */
export interface Key {
  readonly address: string
  /** Returns the signature in the format that the service expects (interface 6.37). */
  sign(message: string): Promise<string>
  /** Only for EVM chains: the wallet, which sends transactions on a chain. */
  openWallet?(chainId: number, rpcUrl: string): Promise<WalletClient<Transport, undefined, Account>>
  isThrowAway?: boolean
  /** Only for Bitcoin: the key to which a lock returns, in hex. */
  publicKey?: string
}

export function createEvmKey(): Key {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    address: account.address,
    sign: message => account.signMessage({ message }),
    openWallet: async (_, rpcUrl) => createWalletClient({ account, transport: http(rpcUrl) }),
    isThrowAway: true
  }
}

const base58check = createBase58check((bytes: Uint8Array) => sha256(bytes, 'bytes'))

/** First byte of a Tron address (interface 4.18). */
const TRON_PREFIX = 0x41

/** Creates a key for Tron: an EVM key with a different address format and message prefix (TIP-191). */
export function createTronKey(): Key {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    address: base58check.encode(Uint8Array.of(TRON_PREFIX, ...hexToBytes(account.address))),
    sign(message) {
      const text = stringToBytes(message)
      const prefix = stringToBytes(`\x19TRON Signed Message:\n${text.length}`)
      return account.sign({ hash: keccak256(concat([prefix, text])) })
    }
  }
}

/** Creates a key for Bitcoin. A lock stands for a signature, and the development network pays it. */
export function createBitcoinKey(): Key {
  const key = pubECDSA(hexToBytes(generatePrivateKey()))
  const { address = '' } = p2wpkh(key, TEST_NETWORK)
  return { address, publicKey: hex.encode(key), sign: async () => '' }
}

/** Creates a key for Solana. Fails in browsers without Ed25519, and on pages served neither from localhost nor over https. */
export async function createSolanaKey(): Promise<Key> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  return {
    address: base58.encode(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))),
    sign: async message => {
      const signature = await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(message))
      return base58.encode(new Uint8Array(signature))
    }
  }
}
