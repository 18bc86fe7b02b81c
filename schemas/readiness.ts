import { type SchemaOptions, type Static, Type } from '@sinclair/typebox'

/** `detail` never contains text from an upstream (interface 15.2). */
const check = (options: SchemaOptions) =>
  Type.Object(
    {
      ok: Type.Boolean({ description: 'Whether the check passed' }),
      detail: Type.Optional(Type.String({ description: 'Details, or why the check failed' }))
    },
    options
  )

export const Readiness = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether all checks passed' }),
    checks: Type.Object(
      {
        store: check({ description: 'The submission store can be read' }),
        rpc: check({ description: 'An RPC node is healthy and the chain produces blocks' }),
        chainApi: check({ description: 'The chain’s REST API responds' }),
        signer: check({
          description:
            'The wallet can submit; otherwise `wallet-unknown`, `wallet-not-whitelisted`, `signer-unavailable`, `insufficient-funds`, ' +
            '`fee-too-high`, `signature-refused` or `transactions-refused`'
        }),
        engine: check({
          description:
            'The submission engine reads new blocks and settles submissions; otherwise `starting`, `stopping`, ' +
            '`node-unreachable`, `looking-back`, `unknown-transactions`, `sequence-differs`, `foreign-chain`, ' +
            '`history-pruned`, `nodes-disagree`, `intake closed, N unsettled`, or how far it is behind, which worker fails, or how long a submission has been unsettled'
        })
      },
      { description: 'One for each dependency' }
    )
  },
  { title: 'Readiness' }
)
export type Readiness = Static<typeof Readiness>

export type Check = Static<ReturnType<typeof check>>
export type CheckName = keyof Readiness['checks']
