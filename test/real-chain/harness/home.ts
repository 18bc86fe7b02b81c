import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appToml, configToml, type NodePorts, type NodeSettings } from './config-files.ts'

/** A node's data directory, in the layout that the chain's binary expects. */
export interface Home {
  readonly path: string
  /** The id in the node's status. */
  readonly nodeId: string
  configure(settings: NodeSettings, ports: NodePorts): void
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

/** Creates a data directory with new keys and the genesis. */
export async function openHome(path: string, genesis: (validator: CometKey) => object): Promise<Home> {
  const file = (name: string) => join(path, name)
  for (const folder of ['config', 'data']) mkdirSync(file(folder), { recursive: true })
  const [validator, { priv_key }] = [newKey(), newKey()]
  writeFileSync(file('config/node_key.json'), json({ priv_key }))
  writeFileSync(file('config/priv_validator_key.json'), json(validator))
  writeFileSync(file('data/priv_validator_state.json'), json({ height: '0', round: 0, step: 0 }))
  writeFileSync(file('config/genesis.json'), json(genesis(validator)))
  return {
    path,
    nodeId: addressOf(Buffer.from(priv_key.value, 'base64').subarray(32)).toLowerCase(),
    configure(settings, ports) {
      writeFileSync(file('config/config.toml'), configToml(settings, ports))
      writeFileSync(file('config/app.toml'), appToml(settings, ports))
    }
  }
}

/** An ed25519 key in the JSON formats of CometBFT's key files. */
export interface CometKey {
  address: string
  pub_key: { type: 'tendermint/PubKeyEd25519'; value: string }
  priv_key: { type: 'tendermint/PrivKeyEd25519'; value: string }
}

function newKey(): CometKey {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [seed, publicKey] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const value = Buffer.concat([seed, publicKey]).toString('base64')
  return {
    address: addressOf(publicKey),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: publicKey.toString('base64') },
    priv_key: { type: 'tendermint/PrivKeyEd25519', value }
  }
}

function addressOf(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 40).toUpperCase()
}
