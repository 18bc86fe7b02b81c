import { toBech32 } from '@cosmjs/encoding'
import { createChain } from '../../../packages/devnet/chain/index.ts'
import { getAccount } from '../../../packages/devnet/modules/auth/accounts.ts'
import { test } from '../../helpers/tap.ts'

function address(index: number, prefix = 'cosmos'): string {
  return toBech32(prefix, new Uint8Array(20).fill(index))
}

function account(index: number, fields: Record<string, unknown> = {}) {
  const type = '/cosmos.auth.v1beta1.BaseAccount'
  return {
    '@type': type,
    address: address(index),
    pub_key: null,
    account_number: '0',
    sequence: '0',
    ...fields
  }
}

/** A genesis as a Cosmos SDK node writes it, with parts of other modules. */
function sdkGenesis(auth: Record<string, unknown>, bank: Record<string, unknown>) {
  return {
    genesis_time: '2024-01-01T00:00:00Z',
    chain_id: 'simd-testing',
    initial_height: '1',
    consensus_params: { block: { max_bytes: '22020096', max_gas: '-1' } },
    app_state: { auth, bank, staking: { params: { bond_denom: 'stake' } }, gov: null }
  }
}

test('accounts that share a number get the lowest free ones, as in the SDK', async t => {
  const accounts = [account(1), account(2), account(3, { account_number: '1' }), account(4)]
  const { state } = createChain({ genesis: sdkGenesis({ accounts }, { balances: [] }) }, [])
  const numbers = [1, 2, 3, 4].map(index => getAccount(state, address(index))?.accountNumber)
  t.strictSame(numbers, [0n, 2n, 1n, 3n])
})

test('a genesis that cannot be used is refused with the place', async t => {
  const coins = [{ denom: 'ucosm', amount: '5' }]
  const balances = [{ address: address(1), coins }]
  const vesting = { '@type': '/cosmos.vesting.v1beta1.BaseVestingAccount' }
  const cases: [genesis: Record<string, unknown>, message: RegExp][] = [
    [{}, /^genesis: chain_id: /],
    [{ chain_id: 5, app_state: {} }, /^genesis: chain_id: Expected string/],
    [{ chain_id: 'a', app_state: { bank: {} } }, /^genesis: app_state.auth: /],
    [{ ...sdkGenesis({}, {}), initial_height: '10' }, /^genesis: initial_height: /],
    [sdkGenesis({ accounts: [account(1), account(2, vesting)] }, {}), /^genesis: app_state.auth.accounts/],
    [sdkGenesis({ accounts: [account(1, { sequence: -1 })] }, {}), /^genesis: app_state.auth.accounts/],
    [
      sdkGenesis({ accounts: [account(1, { address: address(1, 'osmo') })] }, {}),
      /is not an address of this chain: invalid Bech32 prefix; expected cosmos, got osmo$/
    ],
    [sdkGenesis({ accounts: [account(1), account(1)] }, {}), /has two accounts$/],
    [
      sdkGenesis({}, { balances: [{ address: address(1), coins: [{ denom: 'ucosm', amount: '1.5' }] }] }),
      /^genesis: app_state.bank.balances/
    ],
    [
      sdkGenesis({}, { balances: [{ address: address(1), coins: [...coins, ...coins] }] }),
      /holds a denomination twice$/
    ],
    [sdkGenesis({}, { balances: [...balances, ...balances] }), /has an address twice$/],
    [
      sdkGenesis({}, { balances, supply: [{ denom: 'ucosm', amount: '6' }] }),
      /app_state.bank.supply is 6ucosm, but the balances add up to 5ucosm$/
    ]
  ]
  for (const [genesis, message] of cases) {
    t.throws(() => createChain({ genesis, prefix: 'cosmos' }, []), { name: 'GenesisError', message })
  }
})
