import { identityKey } from '../identities.ts'
import type { Identity, Refusal, Submission } from '../types.ts'
import type { Execution, WalletRequest } from './types.ts'

/** The submission that has an identity. */
export interface Holder {
  submissionId: string
  status: Submission['status']
  /** Whether it has the content of the request. */
  isSame: boolean
}

/** What becomes of an executed request that is in no transaction of the store. */
export interface AdoptionPlan {
  /** Unsettled submissions with their outcomes, in this order. */
  settled: Execution[]
  /** The keys that a new committed submission takes; without any, none is created. */
  keys: string[]
}

/** The refusal of a queued submission that has an identity of a request which the chain has executed. */
const SUPERSEDED: Refusal = {
  code: 1,
  codespace: 'service',
  message: 'the chain has executed another request with its feeId or payment'
}

/**
 * Decides by the rules of identity (interface 7.3 to 7.6) what an executed request means for a store that did not sign it.
 * A submission with the same content is settled by it, also one that waits in a slot; but a refusal by an event only settles
 * one that is queued, because a slot may still execute it. A queued one with other content would execute an identity twice,
 * so it is refused. Where there is no submission, one is created, so that a retry gets the result.
 * @param holderOf the submission that has an identity, unless it was rejected
 */
export function planAdoption(
  { identities, execution }: WalletRequest,
  holderOf: (identity: Identity) => Holder | undefined
): AdoptionPlan {
  const held = identities.map(identity => ({ key: identityKey(identity), holder: holderOf(identity) }))
  const holders = held.flatMap(({ holder }) => holder ?? [])
  const same = holders.find(({ isSame }) => isSame)
  if (execution.status === 'rejected') {
    const settled = same?.status === 'queued' ? [{ ...execution, submissionId: same.submissionId }] : []
    return { settled, keys: [] }
  }
  const others = holders.filter(({ isSame, status }) => !isSame && status === 'queued')
  const superseded = [...new Set(others.map(({ submissionId }) => submissionId))]
  const settled: Execution[] = superseded.map(submissionId => ({
    submissionId,
    status: 'rejected',
    error: SUPERSEDED
  }))
  if (same) {
    const isUnsettled = same.status === 'queued' || same.status === 'broadcast'
    return {
      settled: isUnsettled ? [...settled, { ...execution, submissionId: same.submissionId }] : settled,
      keys: []
    }
  }
  const free = held.filter(({ holder }) => !holder || superseded.includes(holder.submissionId))
  return { settled, keys: free.map(({ key }) => key) }
}
