import { type Static, Type } from '@sinclair/typebox'
import { component, flag, text, titled } from './leaves.ts'

/** Neither string contains text from an upstream (interface 15.2). */
const Check = titled('ReadinessCheck', {
  ok: flag('Whether the check passed'),
  detail: Type.Optional(text('Details, or why the check failed, such as the kind of a blocker')),
  action: Type.Optional(text('What the operator of the service should do'))
})

const CHECKS =
  '`store`: the submission store can be read; `rpc`: an RPC node is healthy and the chain produces blocks; `chainApi`: the ' +
  'chain’s REST API responds; `signer`: the wallet can submit; `engine`: the submission engine reads new blocks and ' +
  'settles submissions'

export const Readiness = titled('Readiness', {
  ready: flag('Whether all checks passed'),
  checks: component('ReadinessChecks', CHECKS, {
    store: Check,
    rpc: Check,
    chainApi: Check,
    signer: Check,
    engine: Check
  })
})
export type Readiness = Static<typeof Readiness>

export type Check = Static<typeof Check>
export type CheckName = keyof Readiness['checks']
