import { type Static, Type } from '@sinclair/typebox'
import { checkFor } from '../schema-check.ts'

/** What the chain API answers, as far as the service depends on it (interface 19.4, 19.5 and 4.26). */

const RegistryToken = Type.Object({
  symbol: Type.String(),
  /** Empty for a chain's own coin. A missing address must not pass for that. */
  address: Type.String(),
  decimals: Type.String({ pattern: '^[0-9]{1,2}$' }),
  peggedTo: Type.String(),
  protocol: Type.Optional(Type.String()),
  isPermit2: Type.Optional(Type.Boolean()),
  supportedLocations: Type.Optional(Type.Array(Type.Union([Type.Literal('origin'), Type.Literal('target')])))
})

const RegistryChain = Type.Object({
  /** The chain's short name. */
  symbol: Type.String(),
  tokens: Type.Array(RegistryToken),
  disabled: Type.Boolean(),
  /** Empty for the rails. */
  derivationAlgorithm: Type.String()
})

/** A chain of the registry. Numbers are texts there, and there may be more fields. */
export type RegistryChain = Static<typeof RegistryChain>

/** Gateways write the next page's key in either way, and counts as texts. */
const Pagination = Type.Object({
  nextKey: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  next_key: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  total: Type.Optional(Type.Union([Type.String({ pattern: '^[0-9]{1,15}$' }), Type.Integer()]))
})
const OptionalPagination = Type.Optional(Type.Union([Pagination, Type.Null()]))
export type Pagination = Static<typeof Pagination>

export const Registry = checkFor(
  Type.Object({ Chain: Type.Array(RegistryChain), pagination: OptionalPagination })
)

export const Chains = checkFor(Type.Object({ Chains: Type.Array(Type.String()) }))

export const Currencies = checkFor(Type.Object({ Currencies: Type.Array(Type.String()) }))

const PoolBalance = Type.Object({
  index: Type.String(),
  /** The chain's short name. */
  chainName: Type.String(),
  balance: Type.Array(
    Type.Object({
      amount: Type.String(),
      tokenSymbol: Type.String(),
      decimal: Type.Union([Type.String(), Type.Integer()])
    })
  ),
  nativeGasAmount: Type.String()
})
export type PoolBalance = Static<typeof PoolBalance>

export const PoolBalances = checkFor(Type.Object({ poolBalance: Type.Array(PoolBalance) }))

const PoolKeys = Type.Object({
  tssPubKey: Type.String(),
  ecdsa: Type.String(),
  eddsa: Type.String(),
  /** Pool address of Bitcoin, empty when there is none. */
  reserved: Type.String()
})
export type PoolKeys = Static<typeof PoolKeys>

export const TssPubkeys = checkFor(
  Type.Object({ tssPubkey: Type.Array(PoolKeys), pagination: OptionalPagination })
)

export const TransactionParams = checkFor(
  Type.Object({ params: Type.Object({ transferLimitMaxUSDT: Type.String() }) })
)
