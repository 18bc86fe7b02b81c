import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { checkFor } from '../../schema-check.ts'

/** Far more than CometBFT (50) and any module of the Cosmos SDK use. Both are logged, and the codespace is stored. */
const Name = Type.String({ maxLength: 256 })

/** The code of a result, a uint32. */
const Code = Type.Integer({ minimum: 0, maximum: 0xffffffff })

/** The result of a transaction. An empty text may be missing on the wire. */
const abciFields = {
  code: Type.Optional(Code),
  codespace: Type.Optional(Name),
  log: Type.Optional(Type.String())
}

const Limit = Type.String({ pattern: '^(-1|[0-9]+)$' })
const Digits = Type.String({ pattern: '^[0-9]+$' })

/** Go omits an empty text or list, or writes null. */
const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const optionalList = <T extends TSchema>(item: T) =>
  Type.Optional(Type.Union([Type.Array(item), Type.Null()]))

const version = { jsonrpc: Type.Literal('2.0') }

/** What every answer is in. */
export const RpcAnswer = checkFor(
  Type.Union([
    Type.Object({
      ...version,
      error: Type.Object({ code: Type.Number(), message: Type.String(), data: Type.Unknown() })
    }),
    Type.Object({ ...version, result: Type.Unknown() })
  ])
)

/** The answer to an ABCI query. */
export const AbciQuery = checkFor(
  Type.Object({
    response: Type.Object({ ...abciFields, value: OptionalText, height: Type.Optional(Digits) })
  })
)

const BroadcastResult = Type.Object({ ...abciFields, code: Code, hash: Type.String({ minLength: 1 }) })
export type BroadcastResult = Omit<Static<typeof BroadcastResult>, 'hash'>

/** The result of CheckTx for a transaction that was broadcast. */
export const Broadcast = checkFor(BroadcastResult)

/** The limits of a block in the consensus parameters. CometBFT writes the numbers as text; -1 means no limit. */
export const ConsensusParams = checkFor(
  Type.Object({
    consensus_params: Type.Object({
      block: Type.Object({ max_gas: Limit, max_bytes: Limit })
    })
  })
)

/** What a node reports of itself. */
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

/** The announcement of a new block over the WebSocket. */
export const NewBlockHeader = checkFor(
  Type.Object({
    result: Type.Object({
      data: Type.Object({ value: Type.Object({ header: Type.Object({ height: Digits }) }) })
    })
  })
)

const Hex = Type.String({ pattern: '^([0-9A-Fa-f]{2})*$' })
/** SHA-256 in hex; empty where there is no block before. */
const HASH = '[0-9A-Fa-f]{64}'
const Hash = Type.String({ pattern: `^${HASH}$` })
const OptionalHash = Type.String({ pattern: `^(${HASH})?$` })

/** Every field of a header is part of its hash. */
const Header = Type.Object({
  version: Type.Object({ block: Digits, app: Type.Optional(Digits) }),
  chain_id: Name,
  height: Digits,
  time: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?Z$' }),
  last_block_id: Type.Object({
    hash: OptionalHash,
    parts: Type.Object({ total: Type.Integer({ minimum: 0 }), hash: Hex })
  }),
  last_commit_hash: Hex,
  data_hash: Hex,
  validators_hash: Hex,
  next_validators_hash: Hex,
  consensus_hash: Hex,
  app_hash: Hex,
  last_results_hash: Hex,
  evidence_hash: Hex,
  proposer_address: Hex
})

export type Header = Static<typeof Header>

/** The part of a block that this service reads. */
export const Block = checkFor(
  Type.Object({
    block_id: Type.Object({ hash: Hash }),
    block: Type.Object({
      header: Header,
      data: Type.Object({ txs: optionalList(Type.String()) })
    })
  })
)

/** A 64-bit integer. */
const Integer = Type.Optional(Type.String({ pattern: '^-?[0-9]{1,20}$' }))

/** The results of a block. An event may have an empty type or key: any program of the chain may emit one. */
export const BlockResults = checkFor(
  Type.Object({
    height: Digits,
    txs_results: optionalList(
      Type.Object({
        ...abciFields,
        // Without it nobody knows whether the transaction succeeded.
        code: Code,
        data: OptionalText,
        events: optionalList(
          Type.Object({
            type: OptionalText,
            attributes: optionalList(Type.Object({ key: OptionalText, value: OptionalText }))
          })
        ),
        gas_wanted: Integer,
        gas_used: Integer
      })
    )
  })
)
