import { readFile } from 'node:fs/promises'
import { GenesisError, GenesisNode } from './genesis-node.ts'
import { rfc3339 } from './time.ts'

/** A Cosmos SDK genesis document as JSON. The modules check their own parts when the chain is made. */
export type Genesis = Record<string, unknown>

export interface GenesisBasics {
  chainId: string
  appState: Record<string, unknown>
}

/** The limits of blocks. */
export interface ConsensusParams {
  /** Size limit of a block in bytes, header and commit included. */
  maxBytes: bigint
  /** Limit of the gas wanted by the transactions of one block; -1 = no limit. */
  maxGas: bigint
}

/** The limits of a genesis, or the Cosmos SDK's defaults. @throws GenesisError */
export function genesisConsensusParams(genesis: Genesis): ConsensusParams {
  const root = new GenesisNode(genesis, '')
  const own = root.field('consensus_params')
  const params = own.isAbsent ? root.field('consensus').optionalField('params') : own
  const limit = (name: string, fallback: bigint) => {
    const node = params.optionalField('block').optionalField(name)
    return node.value === '-1' ? -1n : node.uint(fallback)
  }
  return { maxBytes: limit('max_bytes', 22_020_096n), maxGas: limit('max_gas', 40_000_000n) }
}

/** Reads what the chain itself needs from a genesis. @throws GenesisError */
export function readBasics(genesis: Genesis): GenesisBasics {
  const root = new GenesisNode(genesis, '')
  const chainId = root.field('chain_id')
  if (chainId.string() === '') chainId.fail('must not be empty')
  if (chainId.string().length > 50) chainId.fail('must not be longer than 50 characters')
  const initialHeight = root.field('initial_height')
  if (initialHeight.uint(1n) > 1n) initialHeight.fail('must be "1": this chain starts at its first block')
  return { chainId: chainId.string(), appState: root.field('app_state').object() }
}

/** The time of the first block: that of the genesis, or now when the genesis has none that is over. */
export function genesisTime(genesis: Genesis): string {
  const given = Date.parse(new GenesisNode(genesis, '').field('genesis_time').optionalString())
  const now = Date.now()
  return rfc3339(given <= now ? given : now)
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

/**
 * The denomination that a wallet can pay fees in: `preferred` if it holds that in the genesis, otherwise the first
 * that it holds, undefined when it holds nothing.
 */
export function denomHeldBy(address: string, genesis: Genesis, preferred: string): string | undefined {
  const balances = new GenesisNode(genesis, '')
    .field('app_state')
    .optionalField('bank')
    .optionalField('balances')
  const own = balances.items().find(balance => balance.field('address').value === address)
  const denoms =
    own
      ?.field('coins')
      .items()
      .map(coin => coin.field('denom').string()) ?? []
  return denoms.find(denom => denom === preferred) ?? denoms[0]
}
