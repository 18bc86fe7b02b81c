import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { rfc3339 } from './time.ts'

/** A genesis document that cannot be used; the message names the field, such as `app_state.bank.balances.2.coins`. */
export class GenesisError extends Error {
  override name = 'GenesisError'

  constructor(problem: string) {
    super(`genesis: ${problem}`)
  }
}

/** A Cosmos SDK genesis document as JSON. */
export type Genesis = Record<string, unknown>

const optional = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
/** A missing list is empty, because Go encodes empty slices as null. */
const list = <T extends TSchema>(type: T) => optional(Type.Array(type))
/** Protobuf's JSON writes large integers as digits. */
const Uint = Type.Union([Type.String({ pattern: '^\\d{1,78}$' }), Type.Integer({ minimum: 0 })])
const Limit = Type.Union([Uint, Type.Literal('-1')])
const Coin = Type.Object({
  denom: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$' }),
  amount: Uint
})
const PubKey = Type.Object({ '@type': Type.Literal('/cosmos.crypto.secp256k1.PubKey'), key: Type.String() })
const accountFields = {
  address: Type.String(),
  pub_key: optional(PubKey),
  account_number: optional(Uint),
  sequence: optional(Uint)
}
const BaseAccount = Type.Object({
  '@type': Type.Literal('/cosmos.auth.v1beta1.BaseAccount'),
  ...accountFields
})
const ModuleAccount = Type.Object({
  '@type': Type.Literal('/cosmos.auth.v1beta1.ModuleAccount'),
  base_account: Type.Object(accountFields),
  name: Type.String(),
  permissions: list(Type.String())
})
const ConsensusParams = Type.Object({
  block: optional(Type.Object({ max_bytes: optional(Limit), max_gas: optional(Limit) }))
})

const AppState = Type.Object({
  auth: Type.Object({ accounts: list(Type.Union([BaseAccount, ModuleAccount])) }),
  bank: Type.Object({
    balances: list(Type.Object({ address: Type.String(), coins: list(Coin) })),
    supply: list(Coin)
  })
})

const checker = TypeCompiler.Compile(
  Type.Object({
    chain_id: Type.String({ minLength: 1, maxLength: 50 }),
    // This chain starts at its first block.
    initial_height: optional(Type.Union([Type.Literal('0'), Type.Literal('1'), Type.Literal(1)])),
    genesis_time: optional(Type.String()),
    consensus_params: optional(ConsensusParams),
    consensus: optional(Type.Object({ params: optional(ConsensusParams) })),
    app_state: AppState
  })
)

/** What the modules read of a genesis. */
export type AppState = Static<typeof AppState>

/** The parts of a genesis that are read here; other modules' are ignored. @throws GenesisError */
export function checkGenesis(genesis: Genesis) {
  if (checker.Check(genesis)) return genesis
  const { path = '', message } = checker.Errors(genesis).First() ?? {}
  throw new GenesisError(`${path.slice(1).replaceAll('/', '.')}: ${message}`)
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
  const { consensus_params, consensus } = checkGenesis(genesis)
  const { max_bytes, max_gas } = (consensus_params ?? consensus?.params)?.block ?? {}
  return { maxBytes: BigInt(max_bytes ?? 22_020_096), maxGas: BigInt(max_gas ?? 40_000_000) }
}

/** The time of the first block: that of the genesis, or now when the genesis has none that is over. */
export function genesisTime(genesis: Genesis): string {
  const given = Date.parse(checkGenesis(genesis).genesis_time ?? '')
  const now = Date.now()
  return rfc3339(given <= now ? given : now)
}

/** The denominations that anybody holds in the genesis, sorted. */
export function genesisDenoms(genesis: Genesis): string[] {
  const { balances } = checkGenesis(genesis).app_state.bank
  const denoms = balances?.flatMap(({ coins }) => coins?.map(({ denom }) => denom) ?? [])
  return [...new Set(denoms)].sort()
}

/** The address prefix that the genesis uses, read from the first account or balance; undefined without either. */
export function genesisPrefix(genesis: Genesis): string | undefined {
  const { auth, bank } = checkGenesis(genesis).app_state
  const [first] = auth.accounts ?? []
  const address =
    first === undefined
      ? bank.balances?.[0]?.address
      : 'address' in first
        ? first.address
        : first.base_account.address
  return address?.slice(0, address.lastIndexOf('1'))
}

/**
 * The denomination that a wallet can pay fees in: `preferred` if it holds that in the genesis, otherwise the first
 * that it holds, undefined when it holds nothing.
 */
export function denomHeldBy(address: string, genesis: Genesis, preferred: string): string | undefined {
  const { balances } = checkGenesis(genesis).app_state.bank
  const denoms = balances?.find(balance => balance.address === address)?.coins?.map(({ denom }) => denom)
  return denoms?.find(denom => denom === preferred) ?? denoms?.[0]
}
