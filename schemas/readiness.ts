import { type Static, Type } from '@sinclair/typebox'
import { flag, object, text, titled } from './leaves.ts'

/** `detail` never contains text from an upstream (interface 15.2). */
const check = (description: string) =>
  object(description, {
    ok: flag('Whether the check passed'),
    detail: Type.Optional(text('Details, or why the check failed'))
  })

export const Readiness = titled('Readiness', {
  ready: flag('Whether all checks passed'),
  checks: object('One for each dependency', {
    store: check('The submission store can be read'),
    rpc: check('An RPC node is healthy and the chain produces blocks'),
    chainApi: check('The chain’s REST API responds'),
    signer: check(
      'The wallet can submit; otherwise `wallet-unknown`, `wallet-not-whitelisted`, `signer-unavailable`, `insufficient-funds`, ' +
        '`fee-too-high`, `signature-refused` or `transactions-refused`'
    ),
    engine: check(
      'The submission engine reads new blocks and settles submissions; otherwise `starting`, `stopping`, ' +
        '`node-unreachable`, `looking-back`, `unknown-transactions`, `sequence-differs`, `foreign-chain`, ' +
        '`history-pruned`, `nodes-disagree`, `store-corrupt`, `intake closed, N unsettled`, or how far it is behind, which worker fails, or how long a submission has been unsettled'
    )
  })
})
export type Readiness = Static<typeof Readiness>

export type Check = Static<ReturnType<typeof check>>
export type CheckName = keyof Readiness['checks']
