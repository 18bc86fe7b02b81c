import type { SubmissionEvent } from '../../../services/submission/contract.ts'
import { BEHAVIOURS, type Behaviour, lockOf, PAYMENT, targetOf } from '../chain/messages.ts'
import type { Disk, StoredSubmission } from '../store/disk.ts'
import type { Execution, Record } from './record.ts'
import type { Witness } from './witness.ts'

/** Messages that the chain may reject, and those that it must reject. */
const MAY_FAIL = BEHAVIOURS.filter(behaviour => !['echoing', 'hungry', 'heavy'].includes(behaviour))
const MUST_FAIL = MAY_FAIL.filter(behaviour => behaviour !== 'insatiable')

/** How often a message fails alone in its transaction before it is rejected, if no result has a message index. */
const LONE_FAILURES = 3

const OUT_OF_GAS = 11

/** Whether the event belongs to the message with this id. A lock has none, and its event says how long it is. */
const isOwn = ({ attributes }: SubmissionEvent, txId: number | undefined) =>
  attributes.some(({ key, value }) =>
    txId === undefined ? key === 'length' : key === 'txId' && value === `${txId}`
  )

/** @param behaviours of the message, and of its lock: a transfer is refused along with it */
function judge(
  { submission, request }: StoredSubmission,
  execution: Execution | undefined,
  failedAlone: number,
  behaviours: readonly Behaviour[]
): string | undefined {
  const { behaviour } = request
  switch (submission.status) {
    case 'committed': {
      if (!execution) return 'is committed but was never executed'
      const { hash, height, txId, content } = execution
      const isSame =
        hash === submission.transactionHash && height === submission.height && txId === submission.txId
      if (!isSame || content !== request.content) return 'differs from the message that was executed'
      if (!submission.events.some(event => isOwn(event, txId))) return 'has the events of another message'
      const mustFail = MUST_FAIL.some(one => behaviours.includes(one))
      return mustFail ? `is committed although it is ${behaviour}` : undefined
    }
    case 'rejected': {
      const { code, codespace, message } = submission.error
      if (code === OUT_OF_GAS && failedAlone < LONE_FAILURES)
        return `is rejected because of its gas after only ${failedAlone} failures alone`
      if (codespace === 'service' || MAY_FAIL.some(one => behaviours.includes(one))) return undefined
      return `is rejected although it is ${behaviour}: ${message}`
    }
    default:
      return `is still ${submission.status}`
  }
}

/** Compares the final store with the chain's record and the responses to clients. */
export function verdict(disk: Disk, record: Record, witness: Witness, fail: (fault: string) => void): void {
  const byIdentity = new Map<string, StoredSubmission[]>()
  for (const stored of disk.submissions.values()) {
    const { identity } = stored.request
    byIdentity.set(identity, [...(byIdentity.get(identity) ?? []), stored])
  }
  for (const [identity, submissions] of byIdentity) {
    const executions = record.executions.get(identity) ?? []
    if (executions.length > 1) fail(`${identity} was executed ${executions.length} times`)
    const first = record.firstTargets.get(identity)
    for (const { content } of executions)
      if (identity.startsWith(PAYMENT) && targetOf(content) !== first)
        fail(`${identity} was executed for ${content}, but was first submitted for ${first}`)
    const living = submissions.filter(({ submission }) => submission.status !== 'rejected')
    if (living.length > 1) fail(`${identity} is ${living.length} submissions`)
    if (living.length < executions.length) fail(`${identity} is rejected, but was executed`)
    const lockName = lockOf(identity) ?? ''
    const [lock] = byIdentity.get(lockName) ?? []
    const failures = [identity, lockName].map(name => record.failedAlone.get(name) ?? 0)
    for (const stored of submissions) {
      const { request, submission } = stored
      const name = `${identity}/${request.content} (${submission.submissionId})`
      const behaviours = [request.behaviour, lock?.request.behaviour ?? 'plain']
      const fault = judge(stored, executions[0], Math.max(...failures), behaviours)
      if (fault) fail(`${name} ${fault}`)
      if (!witness.maybeTaken(request)) fail(`${name} was accepted, but its client got an error`)
    }
  }
  for (const id of witness.ids) if (!disk.submissions.has(id)) fail(`${id} was accepted and then lost`)
  for (const identity of record.executions.keys())
    if (!byIdentity.has(identity)) fail(`${identity} was executed, but never accepted`)
  for (const [sequence, { transactionHash = 'open' }] of disk.slots) {
    const { hash = 'open' } = record.consumed.get(sequence) ?? {}
    if (transactionHash !== hash)
      fail(`slot ${sequence} is ${transactionHash} in the store, but ${hash} on the chain`)
  }
}
