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

/** The gas limit in the consensus parameters. CometBFT writes the number as text; -1 and 0 mean no limit. */
export const ConsensusParams = TypeCompiler.Compile(
  Type.Object({
    consensus_params: Type.Object({
      block: Type.Object({ max_gas: Type.String({ pattern: '^(-1|[0-9]+)$' }) })
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
