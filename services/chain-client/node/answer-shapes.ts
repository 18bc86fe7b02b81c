import { type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/** Far more than CometBFT (50) and any module of the Cosmos SDK use. Both are logged, and the codespace is stored. */
const Name = Type.String({ maxLength: 256 })

/** The result of a transaction. An empty text may be missing on the wire. */
const abciFields = {
  code: Type.Optional(Type.Integer({ minimum: 0 })),
  codespace: Type.Optional(Name),
  log: Type.Optional(Type.String())
}

/** The answer to CheckTx or to a query as CosmJS decodes it; CosmJS does not check the texts. */
export const AbciAnswer = TypeCompiler.Compile(Type.Object(abciFields))

const Limit = Type.String({ pattern: '^(-1|[0-9]+)$' })
const Digits = Type.String({ pattern: '^[0-9]+$' })

/** The limits of a block in the consensus parameters. CometBFT writes the numbers as text; -1 means no limit. */
export const ConsensusParams = TypeCompiler.Compile(
  Type.Object({
    consensus_params: Type.Object({
      block: Type.Object({ max_gas: Limit, max_bytes: Type.Optional(Limit) })
    })
  })
)

/** What a node reports of itself. */
export const Status = TypeCompiler.Compile(
  Type.Object({
    node_info: Type.Object({ network: Name, version: Type.String() }),
    sync_info: Type.Object({
      latest_block_height: Digits,
      latest_block_time: Type.String(),
      earliest_block_height: Type.Optional(Digits),
      catching_up: Type.Optional(Type.Boolean())
    })
  })
)

/** The announcement of a new block over the WebSocket. */
export const NewBlockHeader = TypeCompiler.Compile(
  Type.Object({
    result: Type.Object({
      data: Type.Object({ value: Type.Object({ header: Type.Object({ height: Digits }) }) })
    })
  })
)

/** Go omits an empty text or list, or writes null. */
const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const optionalList = <T extends TSchema>(item: T) =>
  Type.Optional(Type.Union([Type.Array(item), Type.Null()]))
/** A 64-bit integer. */
const Integer = Type.Optional(Type.String({ pattern: '^-?[0-9]{1,20}$' }))

/**
 * The results of a block on the wire. CosmJS refuses the whole block for one event attribute with an empty key, which any
 * program of the chain may emit.
 */
export const BlockResults = TypeCompiler.Compile(
  Type.Object({
    height: Digits,
    txs_results: optionalList(
      Type.Object({
        ...abciFields,
        data: OptionalText,
        events: optionalList(
          Type.Object({
            type: Type.String(),
            attributes: optionalList(Type.Object({ key: OptionalText, value: OptionalText }))
          })
        ),
        gas_wanted: Integer,
        gas_used: Integer
      })
    )
  })
)
