import { createPrivateKey, createPublicKey } from 'node:crypto'
import { fromBase64 } from '@cosmjs/encoding'
import type { Genesis } from './genesis.ts'
import { GenesisNode } from './genesis-node.ts'
import { sha256, upperHex } from './hashes.ts'

const pkcs8Ed25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The one validator of a chain. */
export interface Validator {
  /** Upper-case hex. */
  address: string
  pubKey: Uint8Array
  votingPower: bigint
  name: string
}

/**
 * The first validator of a genesis. Without one, its key is derived from the chain id, so that a chain looks the same
 * at each start. @throws GenesisError
 */
export function createValidator(chainId: string, genesis: Genesis): Validator {
  const [first] = new GenesisNode(genesis, '').field('validators').items()
  if (first !== undefined) {
    const pubKey = fromBase64(first.field('pub_key').field('value').string())
    return {
      address: addressOf(pubKey),
      pubKey,
      votingPower: first.field('power').uint(),
      name: first.field('name').optionalString()
    }
  }
  const seed = sha256('development validator of ', chainId)
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Ed25519, seed]),
    format: 'der',
    type: 'pkcs8'
  })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const pubKey = Uint8Array.from(spki.subarray(-32))
  return { address: addressOf(pubKey), pubKey, votingPower: 1n, name: 'devnet' }
}

const addressOf = (pubKey: Uint8Array) => upperHex(sha256(pubKey).subarray(0, 20))
