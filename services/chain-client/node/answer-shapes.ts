import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/** The result of a transaction. An empty text may be missing on the wire. */
const abciFields = {
  code: Type.Optional(Type.Integer({ minimum: 0 })),
  codespace: Type.Optional(Type.String()),
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
    node_info: Type.Object({ network: Type.String(), version: Type.String() }),
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

const Event = Type.Object({
  type: Type.String(),
  attributes: Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))
})

/** The results of a block as CosmJS decodes them; CosmJS does not check the texts. */
export const BlockResults = TypeCompiler.Compile(
  Type.Object({
    height: Type.Integer(),
    results: Type.Array(
      Type.Object({
        ...abciFields,
        data: Type.Optional(Type.Uint8Array()),
        events: Type.Array(Event),
        gasWanted: Type.BigInt(),
        gasUsed: Type.BigInt()
      })
    )
  })
)
