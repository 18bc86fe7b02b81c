import { type Loop, startLoop } from '../async/loop.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { SubmissionStore } from './contract.ts'

const DAY_MS = 86_400_000
const INTERVAL_MS = 3_600_000
/** Small steps with pauses in between, so that intake and the engine wait only briefly. */
const STEP_SIZE = 500
const STEP_PAUSE_MS = 100

/** Deletes submissions `days` days after they settled, at startup and then every hour (interface 7.15). 0 keeps all. */
export function startRetention(options: {
  store: Pick<SubmissionStore, 'forget'>
  days: number
  log: Logger
  clock?: Clock
}): Loop | undefined {
  const { store, days, log, clock = systemClock } = options
  if (days === 0) return undefined
  let deleted = 0

  async function step(): Promise<number> {
    const count = await store.forget(days * DAY_MS, STEP_SIZE)
    deleted += count
    if (count > 0) return STEP_PAUSE_MS
    if (deleted > 0) log.info({ deleted }, 'deleted old submissions and slots')
    deleted = 0
    return INTERVAL_MS
  }

  return startLoop('retention', step, { clock, log })
}
