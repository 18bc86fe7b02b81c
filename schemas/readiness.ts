import { type Static, Type } from '@sinclair/typebox'
import { flag, object, text, titled } from './leaves.ts'

/** Neither string contains text from an upstream (interface 15.2). */
const check = (description: string) =>
  object(description, {
    ok: flag('Whether the check passed'),
    detail: Type.Optional(text('Details, or why the check failed, such as the kind of a blocker')),
    action: Type.Optional(text('What the operator of the service should do'))
  })

export const Readiness = titled('Readiness', {
  ready: flag('Whether all checks passed'),
  checks: object('One for each dependency', {
    store: check('The submission store can be read'),
    rpc: check('An RPC node is healthy and the chain produces blocks'),
    chainApi: check('The chain’s REST API responds'),
    signer: check('The wallet can submit'),
    engine: check('The submission engine reads new blocks and settles submissions')
  })
})
export type Readiness = Static<typeof Readiness>

export type Check = Static<ReturnType<typeof check>>
export type CheckName = keyof Readiness['checks']
