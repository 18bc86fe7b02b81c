import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCoins } from '@cosmjs/proto-signing'
import { CHAIN_ID } from '../../devnet/transactions.ts'

export interface ChainSettings {
  maxBlockGas: number
  maxBlockBytes: number
  /** Accounts with coins such as `1000uSERVICE,5uother`. */
  accounts: readonly { address: string; coins: string }[]
}

/** Fills the data directory of a node, which is the chain's validator. @throws Error for invalid coins */
export function writeHome(path: string, settings: ChainSettings): void {
  const validator = newKey()
  for (const folder of ['config', 'data']) mkdirSync(join(path, folder))
  const files = {
    'config/priv_validator_key.json': validator,
    'data/priv_validator_state.json': { height: '0', round: 0, step: 0 },
    'config/genesis.json': newGenesis(settings, validator)
  }
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(path, name), JSON.stringify(content))
}

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

/** Builds a genesis in CometBFT's format. Account numbers follow the order of the accounts. */
function newGenesis(settings: ChainSettings, { address, pub_key }: ReturnType<typeof newKey>) {
  const { accounts, maxBlockGas, maxBlockBytes } = settings
  return {
    genesis_time: new Date().toISOString(),
    chain_id: CHAIN_ID,
    initial_height: '1',
    consensus_params: {
      block: { max_bytes: String(maxBlockBytes), max_gas: String(maxBlockGas) },
      // A node keeps blocks up to this age, even beyond `min-retain-blocks`.
      evidence: { max_age_num_blocks: '2', max_age_duration: '1000000000', max_bytes: '10000' },
      validator: { pub_key_types: ['ed25519'] }
    },
    validators: [{ address, pub_key, power: '10', name: '' }],
    app_state: {
      auth: {
        params: {
          max_memo_characters: '256',
          tx_sig_limit: '7',
          tx_size_cost_per_byte: '10',
          sig_verify_cost_ed25519: '590',
          sig_verify_cost_secp256k1: '1000'
        },
        accounts: accounts.map(({ address }, index) => {
          const account = { address, pub_key: null, account_number: String(index), sequence: '0' }
          return { '@type': '/cosmos.auth.v1beta1.BaseAccount', ...account }
        })
      },
      // The chain computes the supply from the balances.
      bank: {
        params: { default_send_enabled: true },
        balances: accounts.map(({ address, coins }) => ({ address, coins: parseCoins(coins) }))
      }
    }
  }
}
