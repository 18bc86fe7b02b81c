import { createHash, generateKeyPairSync } from 'node:crypto'

/** An ed25519 key in the JSON formats of CometBFT's key files. */
export interface CometKey {
  address: string
  pub_key: { type: 'tendermint/PubKeyEd25519'; value: string }
  priv_key: { type: 'tendermint/PrivKeyEd25519'; value: string }
}

export function newKey(): CometKey {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [seed, publicKey] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  return {
    address: addressOf(publicKey),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: publicKey.toString('base64') },
    priv_key: {
      type: 'tendermint/PrivKeyEd25519',
      value: Buffer.concat([seed, publicKey]).toString('base64')
    }
  }
}

/** Returns the address of a public key: the first 20 bytes of its SHA-256, in upper-case hex. */
export function addressOf(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 40).toUpperCase()
}
