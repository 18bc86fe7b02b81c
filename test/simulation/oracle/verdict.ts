import type { SubmissionEvent } from '../../../services/submission/contract.ts'
import { type Behaviour, lockOf, PAYMENT, targetOf } from '../chain/messages.ts'
import type { Disk, StoredSubmission } from '../store/disk.ts'
import type { Execution, Record } from './record.ts'
import type { Witness } from './witness.ts'

/** Behaviours that the chain may reject, and behaviours that it must reject. */
const MAY_FAIL: readonly Behaviour[] = ['insatiable']
const MUST_FAIL: readonly Behaviour[] = [
  'poison',
  'hidden-poison',
  'forbidden',
  'mocking',
  'malformed',
  'refused-by-event',
  'oversized'
]

const nameOf = ({ request, submission }: StoredSubmission) =>
  `${request.identity}/${request.content} (${submission.submissionId})`

/**
 * Number of times that a message must fail as the only one in its transaction before it is rejected, if no result
 * reports its message index.
 */
const LONE_FAILURES = 3

const OUT_OF_GAS = 11

/** Whether the chain must refuse it, or may. A transfer is refused along with its lock. */
const isAmong = (behaviours: readonly Behaviour[], { request }: StoredSubmission, lock?: StoredSubmission) =>
  behaviours.includes(request.behaviour) ||
  (lock !== undefined && behaviours.includes(lock.request.behaviour))

/** Whether the event belongs to the message with this id. A lock has none, and its event says how long it is. */
const isOwn = ({ attributes }: SubmissionEvent, txId: number | undefined) =>
  attributes.some(({ key, value }) =>
    txId === undefined ? key === 'length' : key === 'txId' && value === `${txId}`
  )

function judge(
  stored: StoredSubmission,
  executions: readonly Execution[],
  failedAlone: number,
  lock: StoredSubmission | undefined
) {
  const { submission, request } = stored
  const { behaviour } = request
  const isExecutable = !isAmong(MUST_FAIL, stored, lock)
  switch (submission.status) {
    case 'committed': {
      const [execution] = executions
      if (!execution) return 'is committed but was never executed'
      const { hash, height, txId, content } = execution
      const isSame =
        hash === submission.transactionHash && height === submission.height && txId === submission.txId
      if (!isSame || content !== request.content) return 'differs from the message that was executed'
      if (!submission.events.some(event => isOwn(event, txId))) return 'has the events of another message'
      return isExecutable ? undefined : `is committed although it is ${behaviour}`
    }
    case 'rejected':
      if (submission.error.code === OUT_OF_GAS && failedAlone < LONE_FAILURES) {
        return `is rejected because of its gas after only ${failedAlone} failures alone`
      }
      if (submission.error.codespace === 'service') return undefined
      if (!isExecutable || isAmong(MAY_FAIL, stored, lock)) return undefined
      return `is rejected although it is ${behaviour}: ${submission.error.message}`
    default:
      return `is still ${submission.status}`
  }
}

export function verdict({
  disk,
  record,
  witness
}: {
  disk: Disk
  record: Record
  witness: Witness
}): string[] {
  const faults: string[] = []
  const byIdentity = new Map<string, StoredSubmission[]>()
  for (const stored of disk.submissions.values()) {
    const { identity } = stored.request
    byIdentity.set(identity, [...(byIdentity.get(identity) ?? []), stored])
  }
  for (const [identity, submissions] of byIdentity) {
    const executions = record.executions.get(identity) ?? []
    if (executions.length > 1) faults.push(`${identity} was executed ${executions.length} times`)
    const first = record.firstTargets.get(identity)
    for (const { content } of executions)
      if (identity.startsWith(PAYMENT) && targetOf(content) !== first)
        faults.push(`${identity} was executed for ${content}, but was first submitted for ${first}`)
    const living = submissions.filter(({ submission }) => submission.status !== 'rejected')
    if (living.length > 1) faults.push(`${identity} is ${living.length} submissions`)
    if (living.length < executions.length) faults.push(`${identity} is rejected, but was executed`)
    const lockName = lockOf(identity) ?? ''
    const [lock] = byIdentity.get(lockName) ?? []
    const failures = [identity, lockName].map(name => record.failedAlone.get(name) ?? 0)
    for (const stored of submissions) {
      const fault = judge(stored, executions, Math.max(...failures), lock)
      if (fault) faults.push(`${nameOf(stored)} ${fault}`)
      if (!witness.maybeTaken(stored.request))
        faults.push(`${nameOf(stored)} was accepted, but its client got an error`)
    }
  }
  for (const id of witness.ids) if (!disk.submissions.has(id)) faults.push(`${id} was accepted and then lost`)
  for (const identity of record.executions.keys()) {
    if (!byIdentity.has(identity)) faults.push(`${identity} was executed, but never accepted`)
  }
  for (const [sequence, { transactionHash = 'open' }] of disk.slots) {
    const { hash = 'open' } = record.consumed.get(sequence) ?? {}
    if (transactionHash !== hash)
      faults.push(`slot ${sequence} is ${transactionHash} in the store, but ${hash} on the chain`)
  }
  return faults
}
