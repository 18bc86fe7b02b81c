import type { Genesis } from './genesis.ts'
import { rfc3339 } from './time.ts'

/** Contents of the built-in genesis. Amounts are in base units of `feeDenom`. */
export interface BuiltInGenesisOptions {
  chainId: string
  feeDenom: string
  accounts: readonly { address: string; amount: bigint | string }[]
}

/** The genesis of a development chain on which `accounts` are funded. Account numbers follow their order. */
export function builtInGenesis({ chainId, feeDenom, accounts }: BuiltInGenesisOptions): Genesis {
  const supply = accounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  return {
    genesis_time: rfc3339(Date.now()),
    chain_id: chainId,
    initial_height: '1',
    app_hash: '',
    app_state: {
      auth: {
        accounts: accounts.map(({ address }, index) => ({
          '@type': '/cosmos.auth.v1beta1.BaseAccount',
          address,
          pub_key: null,
          account_number: index.toString(),
          sequence: '0'
        }))
      },
      bank: {
        balances: accounts.map(({ address, amount }) => ({
          address,
          coins: [{ denom: feeDenom, amount: amount.toString() }]
        })),
        supply: [{ denom: feeDenom, amount: supply.toString() }]
      }
    }
  }
}
