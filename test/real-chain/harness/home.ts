import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Fills a node's data directory in the layout that the chain's binary expects.
 * @param genesis creates the genesis with the node as its validator
 */
export function writeHome(path: string, genesis: (validator: ReturnType<typeof newKey>) => object): void {
  const validator = newKey()
  for (const folder of ['config', 'data']) mkdirSync(join(path, folder))
  const files = {
    'config/priv_validator_key.json': validator,
    'data/priv_validator_state.json': { height: '0', round: 0, step: 0 },
    'config/genesis.json': genesis(validator)
  }
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(path, name), JSON.stringify(content))
}

/** Creates an ed25519 key in the JSON format of CometBFT's key files. */
function newKey() {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [seed, publicKey] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const value = Buffer.concat([seed, publicKey]).toString('base64')
  return {
    address: createHash('sha256').update(publicKey).digest('hex').slice(0, 40).toUpperCase(),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: publicKey.toString('base64') },
    priv_key: { type: 'tendermint/PrivKeyEd25519', value }
  }
}
