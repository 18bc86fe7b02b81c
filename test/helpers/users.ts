import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { sha256 } from '@cosmjs/crypto'
import { base58, createBase58check } from '@scure/base'
import { concatHex, hexToBytes, keccak256, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'

/** A user with a wallet on one chain, implemented with libraries other than the service's. */
export interface User {
  address: string
  /** Signs like the wallet that the widget uses. */
  sign(message: string): Promise<string>
}

export function evmUser(): User {
  const account = privateKeyToAccount(generatePrivateKey())
  return { address: account.address, sign: message => account.signMessage({ message }) }
}

/** Creates a Solana user. @param encode encoding of the 64-byte signature; the widget uses hex */
export function solanaUser(encode: 'hex' | 'base58' = 'hex'): User {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    address: base58.encode(key),
    async sign(message) {
      const signature = signBytes(null, Buffer.from(message), privateKey)
      return encode === 'hex' ? `0x${signature.toString('hex')}` : base58.encode(signature)
    }
  }
}

export function tronUser(): User {
  const privateKey = generatePrivateKey()
  const { publicKey } = privateKeyToAccount(privateKey)
  const account = keccak256(`0x${publicKey.slice(4)}`).slice(-40)
  return {
    address: createBase58check(sha256).encode(hexToBytes(`0x41${account}`)),
    sign(message) {
      const text = stringToHex(message)
      const prefix = stringToHex(`\x19TRON Signed Message:\n${text.length / 2 - 1}`)
      return sign({ hash: keccak256(concatHex([prefix, text])), privateKey, to: 'hex' })
    }
  }
}
