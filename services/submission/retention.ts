import { type Loop, startLoop } from '../async/loop.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { SubmissionStore } from './contract.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Small steps with pauses in between, so that intake and the engine wait only briefly. */
const STEP_SIZE = 500
const STEP_PAUSE_MS = 100

/**
 * Deletes old quotes (interface 5.24) and lock intents (interface 26.5) every minute, and every hour submissions that
 * settled `days` days ago (interface 7.15). 0 keeps all submissions.
 */
export function startRetention(options: {
  store: Pick<SubmissionStore, 'forget' | 'forgetQuotes' | 'forgetLocks'>
  days: number
  log: Logger
  clock?: Clock
}): Pick<Loop, 'stop'> {
  const { store, days, log, clock = systemClock } = options

  function start(name: string, intervalMs: number, forget: (limit: number) => Promise<number>): Loop {
    let deleted = 0

    async function step(): Promise<number> {
      const count = await forget(STEP_SIZE)
      deleted += count
      if (count > 0) return STEP_PAUSE_MS
      if (deleted > 0) log.info({ deleted }, `deleted old ${name}`)
      deleted = 0
      return intervalMs
    }

    return startLoop(name, step, { clock, log })
  }

  const loops = [
    start('quotes', MINUTE_MS, store.forgetQuotes),
    start('lock intents', MINUTE_MS, store.forgetLocks)
  ]
  if (days > 0)
    loops.push(start('submissions and slots', HOUR_MS, limit => store.forget(days * DAY_MS, limit)))
  return {
    async stop() {
      await Promise.all(loops.map(({ stop }) => stop()))
    }
  }
}
