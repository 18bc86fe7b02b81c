import { DailyFeeLimitError } from '../../errors/index.ts'
import type { Logger } from '../../logger.ts'
import type { SubmissionStore } from '../store/types.ts'
import { msLeftOfDay } from '../store/utc-day.ts'

/** Closes intake for the rest of a UTC day on which the wallet has paid too much in fees (interface 17.10). */
export interface FeeLimit {
  /** As of the last look. */
  readonly isReached: boolean
  /** The reason to refuse submissions. */
  closedReason(): DailyFeeLimitError | undefined
  /** Looks at what was paid. */
  look(): Promise<void>
}

/** @param options.limit base units; undefined where there is none */
export function createFeeLimit(options: {
  store: Pick<SubmissionStore, 'feesPaidToday' | 'now'>
  limit: bigint | undefined
  log: Logger
}): FeeLimit {
  const { store, limit, log } = options
  let isReached = false

  return {
    get isReached() {
      return isReached
    },
    closedReason: () => (isReached ? new DailyFeeLimitError(msLeftOfDay(store.now())) : undefined),
    async look() {
      if (limit === undefined) return
      const paid = await store.feesPaidToday()
      if (paid >= limit === isReached) return
      isReached = paid >= limit
      const fields = { paid: String(paid), limit: String(limit) }
      if (isReached)
        log.error(fields, 'SERVICE_DAILY_FEE_LIMIT is reached: no submissions until midnight UTC')
      else log.info(fields, 'the fees of the day are below SERVICE_DAILY_FEE_LIMIT again')
    }
  }
}
