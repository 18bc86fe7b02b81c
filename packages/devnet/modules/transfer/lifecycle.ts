import { railHash } from './rail-hash.ts'
import type { Progress, TransactionRecord } from './record.ts'
import { specialTargets } from './special-addresses.ts'

/** What the pool does on an outside chain: takes the user's tokens, pays, or returns them. */
export type Movement = 'pull' | 'release' | 'refund'

export type Step = Movement | Partial<Progress>

const pullConfirmed: Step = { status: 'Pull_Confirmed' }
const refundStart: Step = {
  status: 'RefundStart',
  failReason: 'the release on the target chain failed, the origin amount goes back',
  releaseFailCount: 1
}

const ordinary: Step[] = [pullConfirmed, 'pull', 'release', { status: 'Completed' }]

const special: Record<string, Step[]> = {
  [specialTargets.failedToPull]: [failedMovement('pull', 'the target address makes the pull fail')],
  [specialTargets.failedToPay]: [
    pullConfirmed,
    'pull',
    failedMovement('release', 'the target chain refused the release')
  ],
  [specialTargets.refunded]: [pullConfirmed, 'pull', refundStart, 'refund'],
  [specialTargets.refundFailed]: [
    pullConfirmed,
    'pull',
    refundStart,
    failedMovement('refund', 'the origin chain refused the refund')
  ],
  [specialTargets.declined]: [{ status: 'DeclinedInvalid', failReason: 'the transaction is not valid' }],
  [specialTargets.unavailable]: [
    { status: 'UnAvailable', failReason: 'the pool of the target chain is not available' }
  ]
}

/** Returns the steps of a transfer after `Available`, one per block. */
export function stepsOf({ targetAddress }: TransactionRecord): readonly Step[] {
  return special[targetAddress.toLowerCase()] ?? ordinary
}

/** Returns the short name of the chain that a movement happens on. */
export function railOf(movement: Movement, { originChain, targetChain }: TransactionRecord): string {
  return movement === 'release' ? targetChain : originChain
}

export function doneMovement(movement: Movement, hash: string): Partial<Progress> {
  if (movement === 'pull') return { status: 'Pulled', pullHash: hash }
  if (movement === 'release') return { status: 'Paid', releaseHash: hash }
  return { status: 'RefundCompleted', refundHash: hash }
}

/** Returns the final progress of a transfer after a failed movement. */
export function failedMovement(movement: Movement, failReason: string): Partial<Progress> {
  if (movement === 'pull') return { status: 'FailedToPull', failReason, pullFailCount: 1 }
  if (movement === 'release') return { status: 'FailedToPay', failReason, releaseFailCount: 1 }
  return { status: 'RefundFailed', failReason }
}

/** Returns the progress of a step on a chain that is not a real node. */
export function assumed(step: Step, record: TransactionRecord): Partial<Progress> {
  if (typeof step !== 'string') return step
  return doneMovement(step, railHash(railOf(step, record), step, record.id))
}

/** Returns a record as of a height: `Available` in the block of its request, then one step further per block. */
export function recordAt(record: TransactionRecord, height: number): TransactionRecord {
  const done = stepsOf(record).slice(0, Math.max(0, height - record.createdAt))
  return Object.assign({}, record, ...done.map(step => assumed(step, record)))
}
