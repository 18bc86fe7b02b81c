/** Status of a record that succeeded (interface 9.7). */
export const COMPLETED = 'Completed'

/** Final statuses of a record that failed (interface 9.7). */
const FAILED: ReadonlySet<unknown> = new Set([
  'FailedToPull',
  'FailedToPay',
  'UnAvailable',
  'RefundCompleted',
  'RefundFailed',
  'DeclinedInvalid'
])

/** Returns whether a record with this `txstatus` can no longer change. An unknown status is not final. */
export function isFinalStatus(txstatus: unknown): boolean {
  return txstatus === COMPLETED || FAILED.has(txstatus)
}
