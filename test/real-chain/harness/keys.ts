import { createHash, generateKeyPairSync } from 'node:crypto'

/** A new ed25519 key in the JSON formats of CometBFT's files. */
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

/** The first 20 bytes of a public key's SHA-256, upper-case hex. */
export function addressOf(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 40).toUpperCase()
}
