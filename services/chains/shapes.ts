import { type Static, Type } from '@sinclair/typebox'
import { PoolKeys } from '../../schemas/chains.ts'
import { maybe } from '../../schemas/leaves.ts'
import { checkFor } from '../schema-check.ts'

/** The parts of the chain API's responses that the service uses (interface 19.4, 19.5 and 4.26). */

/** A number, which some gateways write as a number and others as a string. */
const Numeric = Type.Union([Type.String(), Type.Number()])

const RegistryToken = Type.Object({
  symbol: Type.String(),
  /** Empty for a chain's native coin. Required, so that a missing address is not mistaken for the native coin. */
  address: Type.String(),
  decimals: Type.Union([Type.String({ pattern: '^[0-9]{1,2}$' }), Type.Integer({ minimum: 0, maximum: 99 })]),
  peggedTo: Type.String(),
  protocol: maybe(Type.String()),
  isPermit2: maybe(Type.Boolean()),
  supportedLocations: maybe(Type.Array(Type.Union([Type.Literal('origin'), Type.Literal('target')])))
})

const RegistryChain = Type.Object({
  symbol: Type.String(),
  tokens: Type.Array(RegistryToken),
  disabled: Type.Boolean(),
  /** Empty for the rails. */
  derivationAlgorithm: Type.String()
})

export type RegistryChain = Static<typeof RegistryChain>

/** Gateways use either spelling of the next-page key, and write counts as strings. */
const Pagination = Type.Object({
  nextKey: maybe(Type.String()),
  next_key: maybe(Type.String()),
  total: Type.Optional(Type.Union([Type.String({ pattern: '^[0-9]{1,15}$' }), Type.Integer()]))
})
const OptionalPagination = maybe(Pagination)
export type Pagination = Static<typeof Pagination>

export const Registry = checkFor(
  Type.Object({ Chain: Type.Array(RegistryChain), pagination: OptionalPagination })
)

export const Chains = checkFor(Type.Object({ Chains: Type.Array(Type.String()) }))

export const Currencies = checkFor(Type.Object({ Currencies: Type.Array(Type.String()) }))

const PoolBalance = Type.Object({
  index: Numeric,
  chainName: Type.String(),
  balance: Type.Array(Type.Object({ amount: Numeric, tokenSymbol: Type.String(), decimal: Numeric })),
  nativeGasAmount: Numeric
})
export type PoolBalance = Static<typeof PoolBalance>

export const PoolBalances = checkFor(Type.Object({ poolBalance: Type.Array(PoolBalance) }))

export const TssPubkeys = checkFor(
  Type.Object({ tssPubkey: Type.Array(PoolKeys), pagination: OptionalPagination })
)

export const TransactionParams = checkFor(
  Type.Object({ params: Type.Object({ transferLimitMaxUSDT: Numeric }) })
)
