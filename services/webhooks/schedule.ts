const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Pauses between attempts to deliver an event: more than three days in total (interface 23.6). */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS
]

/** Maximum `retry-after` that is respected, so that a receiver cannot silence the service. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/** Pauses vary by up to 10 % either way, so that events that failed together are not retried together. */
const JITTER = 0.1

export const MAX_PAUSE_MS = MAX_RETRY_AFTER_MS * (1 + JITTER)

/** Minimum age of an event after each pause of the schedule. */
const MIN_AGES_MS = PAUSES_MS.map(
  (_, at) => PAUSES_MS.slice(0, at + 1).reduce((sum, pause) => sum + pause) * (1 - JITTER)
)

/**
 * Returns the pause after a failed attempt, in milliseconds; undefined after the last one. Attempts cut off by a stop
 * or crash count too. If an event has had more attempts than the schedule allows for its age, its age determines the
 * pause instead, because repeated stops or crashes can use up many attempts within minutes.
 * @param attempts including the last one
 * @param ageMs time since the event was written
 * @param retryAfterMs pause requested by the receiver; ignored if the schedule's pause is longer
 * @param random from 0 to 1
 */
export function pauseAfter(
  attempts: number,
  ageMs: number,
  retryAfterMs: number | undefined,
  random: number
): number | undefined {
  const scheduled = 1 + MIN_AGES_MS.filter(least => least <= ageMs).length
  const pause = PAUSES_MS[Math.min(attempts, scheduled) - 1]
  if (pause === undefined) return undefined
  const spread = pause * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)))
}

const HTTP_DATE = /^[A-Z][a-z]{2}, /

/** Parses the `retry-after` header, seconds or a date, to milliseconds; undefined for any other value. */
export function readRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS
  // An HTTP date starts with the day of the week. Date.parse accepts many other formats, such as a negative number.
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
