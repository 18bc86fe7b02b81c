import { railHash } from './rail-hash.ts'
import type { Progress, TransactionRecord } from './record.ts'
import { specialTargets } from './special-addresses.ts'

type Step = (record: TransactionRecord) => Partial<Progress>

const pullConfirmed: Step = () => ({ status: 'Pull_Confirmed' })
const pulled: Step = ({ originChain, id }) => ({
  status: 'Pulled',
  pullHash: railHash(originChain, 'pull', id)
})
const paid: Step = ({ targetChain, id }) => ({
  status: 'Paid',
  releaseHash: railHash(targetChain, 'release', id)
})
const refunded: Step = ({ originChain, id }) => ({
  status: 'RefundCompleted',
  refundHash: railHash(originChain, 'refund', id)
})
const fails =
  (status: Progress['status'], failReason: string, counts: Partial<Progress> = {}): Step =>
  () => ({ status, failReason, ...counts })
const refundStart = fails(
  'RefundStart',
  'the release on the target chain failed, the origin amount goes back',
  { releaseFailCount: 1 }
)

const ordinary: Step[] = [pullConfirmed, pulled, paid, () => ({ status: 'Completed' })]

const special: Record<string, Step[]> = {
  [specialTargets.failedToPull]: [
    fails('FailedToPull', 'the allowance does not cover the pull', { pullFailCount: 1 })
  ],
  [specialTargets.failedToPay]: [
    pullConfirmed,
    pulled,
    fails('FailedToPay', 'the target chain refused the release', { releaseFailCount: 1 })
  ],
  [specialTargets.refunded]: [pullConfirmed, pulled, refundStart, refunded],
  [specialTargets.refundFailed]: [
    pullConfirmed,
    pulled,
    refundStart,
    fails('RefundFailed', 'the origin chain refused the refund')
  ],
  [specialTargets.declined]: [fails('DeclinedInvalid', 'the transaction is not valid')],
  [specialTargets.unavailable]: [fails('UnAvailable', 'the pool of the target chain is not available')]
}

/** Returns a record as of a height: `Available` in the block of its request, then one step further per block. */
export function recordAt(record: TransactionRecord, height: number): TransactionRecord {
  const steps = special[record.targetAddress.toLowerCase()] ?? ordinary
  const done = steps.slice(0, Math.max(0, height - record.createdAt))
  return Object.assign({}, record, ...done.map(step => step(record)))
}
