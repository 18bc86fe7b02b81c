import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { checkFor } from '../../schema-check.ts'

const Digits = Type.String({ pattern: '^[0-9]+$' })
/** -1 means no limit. */
const Limit = Type.String({ pattern: '^(-1|[0-9]+)$' })
/** Limits what is logged and stored. Names in CometBFT (50 characters) and in the SDK are far shorter. */
const Name = Type.String({ maxLength: 256 })
const Code = Type.Integer({ minimum: 0, maximum: 0xffffffff })

/** A string that may be missing: Go omits empty strings and lists, or writes them as null. */
const OptionalString = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const optionalList = <T extends TSchema>(item: T) =>
  Type.Optional(Type.Union([Type.Array(item), Type.Null()]))

const outcome = { codespace: Type.Optional(Name), log: Type.Optional(Type.String()) }

export const JsonRpcResponse = checkFor(
  Type.Object({
    jsonrpc: Type.Literal('2.0'),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(
      Type.Object({ code: Type.Number(), message: Type.String(), data: Type.Optional(Type.Unknown()) })
    )
  })
)

export const AbciQuery = checkFor(
  Type.Object({
    response: Type.Object({
      ...outcome,
      code: Type.Optional(Code),
      value: OptionalString,
      height: Type.Optional(Digits)
    })
  })
)

export const Broadcast = checkFor(
  Type.Object({ ...outcome, code: Code, hash: Type.String({ minLength: 1 }) })
)

export const ConsensusParams = checkFor(
  Type.Object({ consensus_params: Type.Object({ block: Type.Object({ max_gas: Limit, max_bytes: Limit }) }) })
)

export const Status = checkFor(
  Type.Object({
    node_info: Type.Object({ network: Name }),
    sync_info: Type.Object({
      latest_block_height: Digits,
      latest_block_time: Type.String(),
      earliest_block_height: Digits,
      catching_up: Type.Boolean()
    })
  })
)

/** Fields need no stricter types: a malformed field changes the block hash. */
const Header = Type.Object({
  version: Type.Object({ block: Digits, app: Type.Optional(Digits) }),
  chain_id: Name,
  height: Digits,
  time: Type.String({ pattern: '^[0-9-]{10}T[0-9:]{8}([.][0-9]{1,9})?Z$' }),
  last_block_id: Type.Object({
    hash: Type.String(),
    parts: Type.Object({ total: Type.Integer({ minimum: 0 }), hash: Type.String() })
  }),
  last_commit_hash: Type.String(),
  data_hash: Type.String(),
  validators_hash: Type.String(),
  next_validators_hash: Type.String(),
  consensus_hash: Type.String(),
  app_hash: Type.String(),
  last_results_hash: Type.String(),
  evidence_hash: Type.String(),
  proposer_address: Type.String()
})
export type Header = Static<typeof Header>

export const Block = checkFor(
  Type.Object({
    block_id: Type.Object({ hash: Type.String() }),
    block: Type.Object({ header: Header, data: Type.Object({ txs: optionalList(Type.String()) }) })
  })
)

const Integer = Type.Optional(Type.String({ pattern: '^-?[0-9]{1,20}$' }))

/** Any program on the chain can emit an event with an empty type or key. CosmJS would reject the whole block. */
export const BlockResults = checkFor(
  Type.Object({
    height: Digits,
    txs_results: optionalList(
      Type.Object({
        ...outcome,
        code: Code,
        data: OptionalString,
        events: optionalList(
          Type.Object({
            type: OptionalString,
            attributes: optionalList(Type.Object({ key: OptionalString, value: OptionalString }))
          })
        ),
        gas_wanted: Integer,
        gas_used: Integer
      })
    )
  })
)

/** Parses digits up to 2^53 − 1; undefined for anything else. */
export function safeInteger(value: string | bigint | undefined): number | undefined {
  if (value === undefined || !/^\d+$/.test(String(value))) return undefined
  const integer = Number(value)
  return Number.isSafeInteger(integer) ? integer : undefined
}
