import { contentHash, identityKey } from '../identities.ts'
import type { Refusal } from '../types.ts'
import { StoreCorruptError } from './errors.ts'
import { type Binding, bindIdentities, holdersOf, insertSubmissions } from './intake.ts'
import type { Holder } from './rows.ts'
import type { Queries, StoreContext } from './sql.ts'
import type { Execution, WalletRequest } from './types.ts'

/** The reason to reject a queued submission after the chain has executed another request with one of its identities. */
const SUPERSEDED: Refusal = {
  code: 1,
  codespace: 'service',
  message: 'the chain has executed another request with the same feeId or payment'
}

/**
 * Applies the identity rules (interface 7.3 to 7.6) to a request executed by a transaction that is not in the store.
 * Settles a submission with the same content, even if it is in a slot. A refusal reported by an event settles a
 * submission only while it is queued; once it is broadcast, its slot may still execute it. Rejects queued submissions
 * that have the same identity but different content, because they would execute that identity twice. If no submission
 * has the same content, creates one, so that a retry gets the result.
 * @param settle settles unsettled submissions, and reports them as settled unless they are new
 */
export async function adoptRequest(
  context: StoreContext,
  queries: Queries,
  request: WalletRequest,
  settle: (executions: Execution[], isNew?: true) => Promise<void>
): Promise<void> {
  const { identities, typeUrl, message, execution } = request
  const holders = await holdersOf(queries, context, [request])
  const hash = contentHash(typeUrl, message)
  const isSame = (holder: Holder) => hash.equals(holder.contentHash)
  const held = [...holders.values()].filter(
    (holder): holder is Holder =>
      !(holder instanceof StoreCorruptError) && holder.submission.status !== 'rejected'
  )
  const same = held.find(isSame)?.submission
  const isUnsettled = same?.status === 'queued' || same?.status === 'broadcast'

  if (execution.status === 'rejected') {
    if (same?.status === 'queued') await settle([{ ...execution, submissionId: same.submissionId }])
    return
  }
  const others = held.filter(holder => !isSame(holder) && holder.submission.status === 'queued')
  const superseded = new Set(others.map(({ submission }) => submission.submissionId))
  const settled: Execution[] = [...superseded].map(submissionId => {
    return { submissionId, status: 'rejected', error: SUPERSEDED }
  })
  if (same && isUnsettled) settled.push({ ...execution, submissionId: same.submissionId })
  if (settled.length > 0) await settle(settled)
  if (same) return

  const { submissionId } = execution
  const free = identities.map(identityKey).flatMap((key): Binding[] => {
    const holder = holders.get(key)
    if (holder instanceof StoreCorruptError) return []
    const isFree =
      !holder || holder.submission.status === 'rejected' || superseded.has(holder.submission.submissionId)
    return isFree ? [{ key, submissionId }] : []
  })
  if (free.length === 0) return
  await insertSubmissions(queries, context, [{ submissionId, typeUrl, message }], context.now())
  await bindIdentities(queries, context, free)
  await settle([execution], true)
}
