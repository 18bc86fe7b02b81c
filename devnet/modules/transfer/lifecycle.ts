import { railHash } from './rail-hash.ts'
import type { Progress, TransactionRecord } from './record.ts'
import { isTarget, specialTargets } from './special-addresses.ts'

/** The changes of a record in one block; the steps of a route follow each other block by block. */
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
const completed: Step = () => ({ status: 'Completed' })
const refundStart: Step = () => ({
  status: 'RefundStart',
  releaseFailCount: 1,
  failReason: 'the release on the target chain failed, the origin amount goes back'
})

const ordinary: Step[] = [pullConfirmed, pulled, paid, completed]

const routes: [target: string, steps: Step[]][] = [
  [
    specialTargets.failedToPull,
    [
      () => ({
        status: 'FailedToPull',
        pullFailCount: 1,
        failReason: 'the allowance does not cover the pull'
      })
    ]
  ],
  [
    specialTargets.failedToPay,
    [
      pullConfirmed,
      pulled,
      () => ({
        status: 'FailedToPay',
        releaseFailCount: 1,
        failReason: 'the target chain refused the release'
      })
    ]
  ],
  [
    specialTargets.refunded,
    [
      pullConfirmed,
      pulled,
      refundStart,
      ({ originChain, id }) => ({
        status: 'RefundCompleted',
        refundHash: railHash(originChain, 'refund', id)
      })
    ]
  ],
  [
    specialTargets.refundFailed,
    [
      pullConfirmed,
      pulled,
      refundStart,
      () => ({ status: 'RefundFailed', failReason: 'the origin chain refused the refund' })
    ]
  ],
  [
    specialTargets.declined,
    [() => ({ status: 'DeclinedInvalid', failReason: 'the transaction is not valid' })]
  ],
  [
    specialTargets.unavailable,
    [() => ({ status: 'UnAvailable', failReason: 'the pool of the target chain is not available' })]
  ]
]

/**
 * The record at a height: `Available` in the block of its request, one step further in each block after that.
 * @returns `settled` is true when no later block changes it
 */
export function advance<R extends TransactionRecord>(
  record: R,
  height: number
): { record: R; settled: boolean } {
  const special = routes.find(([target]) => isTarget(record.targetAddress, target))
  const steps = special?.[1] ?? ordinary
  const index = height - record.createdAt - 1
  const step = steps[index]
  return {
    record: step === undefined ? record : { ...record, ...step(record) },
    settled: index >= steps.length - 1
  }
}
