import { readFile } from 'node:fs/promises'
import { GenesisError, GenesisNode } from './genesis-node.ts'

/** A Cosmos SDK genesis document as JSON. The modules check their own parts when the chain is made. */
export type Genesis = Record<string, unknown>

export interface GenesisBasics {
  chainId: string
  appState: Record<string, unknown>
}

/** What the chain itself needs of a genesis. @throws GenesisError */
export function readBasics(genesis: Genesis): GenesisBasics {
  const root = new GenesisNode(genesis, '')
  const chainId = root.field('chain_id')
  if (chainId.string() === '') chainId.fail('must not be empty')
  if (chainId.string().length > 50) chainId.fail('must not be longer than 50 characters')
  const initialHeight = root.field('initial_height')
  if (initialHeight.uint(1n) > 1n) initialHeight.fail('must be "1": this chain starts at its first block')
  return { chainId: chainId.string(), appState: root.field('app_state').object() }
}

/** The address prefix that the genesis uses, read from the first account or balance; undefined without either. */
export function genesisPrefix(genesis: Genesis): string | undefined {
  const appState = new GenesisNode(genesis, '').field('app_state')
  const candidates = [
    ...appState.optionalField('auth').optionalField('accounts').items(),
    ...appState.optionalField('bank').optionalField('balances').items()
  ]
  for (const candidate of candidates) {
    const { address } = candidate.object()
    if (typeof address === 'string') return address.slice(0, address.lastIndexOf('1'))
  }
  return undefined
}

/** Reads a genesis file. @throws GenesisError when it cannot be read or is not a JSON object */
export async function readGenesisFile(path: string): Promise<Genesis> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new GenesisError(path, `cannot be read (${error.code ?? error.message})`)
  })
  try {
    return new GenesisNode(JSON.parse(text), path).object()
  } catch (error) {
    if (error instanceof GenesisError) throw error
    throw new GenesisError(path, 'is not valid JSON')
  }
}

/** What the built-in genesis is made of. Amounts are in the smallest unit of `feeDenom`. */
export interface BuiltInGenesisOptions {
  chainId: string
  prefix: string
  feeDenom: string
  accounts: readonly { address: string; amount: bigint | string }[]
}

/** The genesis of a development chain on which `accounts` are funded. Account numbers follow their order. */
export function builtInGenesis({ chainId, prefix, feeDenom, accounts }: BuiltInGenesisOptions): Genesis {
  const display = prefix.toUpperCase()
  const supply = accounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  return {
    genesis_time: '2024-01-01T00:00:00Z',
    chain_id: chainId,
    initial_height: '1',
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
        accounts: accounts.map(({ address }, index) => ({
          '@type': '/cosmos.auth.v1beta1.BaseAccount',
          address,
          pub_key: null,
          account_number: index.toString(),
          sequence: '0'
        }))
      },
      bank: {
        params: { send_enabled: [], default_send_enabled: true },
        balances: accounts.map(({ address, amount }) => ({
          address,
          coins: [{ denom: feeDenom, amount: amount.toString() }]
        })),
        supply: [{ denom: feeDenom, amount: supply.toString() }],
        denom_metadata: [
          {
            description: 'The fee token of the development network.',
            denom_units: [
              { denom: feeDenom, exponent: 0, aliases: [] },
              { denom: display, exponent: 6, aliases: [] }
            ],
            base: feeDenom,
            display,
            name: display,
            symbol: display,
            uri: '',
            uri_hash: ''
          }
        ],
        send_enabled: []
      }
    }
  }
}
