/** Status of a record that succeeded (interface 9.7). */
export const COMPLETED = 'Completed'

/** Final statuses of a record (interface 9.7). All but the first are failures. */
export const FINAL_STATUSES = [
  COMPLETED,
  'FailedToPull',
  'FailedToPay',
  'UnAvailable',
  'RefundCompleted',
  'RefundFailed',
  'DeclinedInvalid'
] as const

/** Returns whether a record with this `txstatus` can no longer change. An unknown status is not final. */
export const isFinalStatus = (txstatus: unknown): boolean =>
  FINAL_STATUSES.some(status => status === txstatus)
