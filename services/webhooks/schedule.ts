const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The pauses between the attempts to deliver an event: more than three days (interface 23.6). */
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

/** The longest `retry-after` that is kept to: a receiver cannot silence the service. */
const LONGEST_MS = 24 * HOUR_MS

/** Pauses differ by up to a tenth either way, so that what failed together does not come back together. */
const JITTER = 0.1

/** No pause is longer. */
export const LONGEST_PAUSE_MS = LONGEST_MS * (1 + JITTER)

/** The least age at which an event has had the attempt after each pause. */
const LEAST_AGES_MS = PAUSES_MS.map(
  (_, at) => PAUSES_MS.slice(0, at + 1).reduce((sum, pause) => sum + pause) * (1 - JITTER)
)

/**
 * How long to wait after an attempt that failed. Attempts that were cut off by a stop or a crash count too, and many servers may
 * stop within minutes. So the age of the event decides where it has had more attempts than the schedule makes by then.
 * @param attempts how many were made, with the last one
 * @param ageMs how long ago the event was written
 * @param retryAfterMs what the receiver asked for; a longer pause of the schedule stays
 * @param random from 0 to 1
 * @returns milliseconds; undefined when it was the last attempt
 */
export function pauseAfter(
  attempts: number,
  ageMs: number,
  retryAfterMs: number | undefined,
  random: number
): number | undefined {
  const scheduled = 1 + LEAST_AGES_MS.filter(least => least <= ageMs).length
  const pause = PAUSES_MS[Math.min(attempts, scheduled) - 1]
  if (pause === undefined) return undefined
  const spread = pause * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, LONGEST_MS)))
}

/** Begins with the day of the week. */
const HTTP_DATE = /^[A-Z][a-z]{2}, /

/**
 * Reads the header `retry-after`: seconds, or a date.
 * @param now milliseconds since the epoch
 * @returns milliseconds; undefined for anything else
 */
export function readRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS
  // Date.parse reads much else, such as a negative number.
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
