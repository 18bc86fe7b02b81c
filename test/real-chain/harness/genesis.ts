import { parseCoins } from '@cosmjs/proto-signing'
import { CHAIN_ID } from '../../devnet/transactions.ts'
import type { Sdk } from '../binary.ts'

export interface ChainSettings {
  maxBlockGas: number
  maxBlockBytes: number
  /** Accounts with coins such as `1000uSERVICE,5uother`. */
  accounts: readonly { address: string; coins: string }[]
  whitelist: readonly string[]
}

/** Builds a genesis in CometBFT's format. Account numbers follow the order of the accounts. @throws Error for invalid coins */
export function newGenesis(
  sdk: Sdk,
  settings: ChainSettings,
  { address, pub_key }: { address: string; pub_key: object }
) {
  const { accounts, whitelist, maxBlockGas, maxBlockBytes } = settings
  return {
    genesis_time: new Date().toISOString(),
    chain_id: CHAIN_ID,
    initial_height: '1',
    consensus_params: {
      block: { max_bytes: String(maxBlockBytes), max_gas: String(maxBlockGas) },
      // A node keeps blocks up to this age, even beyond `min-retain-blocks`.
      evidence: { max_age_num_blocks: '2', max_age_duration: '1000000000', max_bytes: '10000' },
      validator: { pub_key_types: ['ed25519'] },
      version: {},
      ...(sdk === '0.53' && { abci: { vote_extensions_enable_height: '0' } })
    },
    validators: [{ address, pub_key, power: '10', name: '' }],
    app_hash: '',
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
      bank: {
        params: { default_send_enabled: true },
        balances: accounts.map(({ address, coins }) => ({ address, coins: parseCoins(coins) })),
        // The chain computes the supply from the balances.
        supply: [],
        denom_metadata: [],
        send_enabled: []
      },
      requests: { whitelist }
    }
  }
}
