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

/**
 * How long to wait after an attempt that failed.
 * @param attempts how many were made, with the last one
 * @param retryAfterMs what the receiver asked for; a longer pause of the schedule stays
 * @param random from 0 to 1
 * @returns milliseconds; undefined when it was the last attempt
 */
export function pauseAfter(
  attempts: number,
  retryAfterMs: number | undefined,
  random: number
): number | undefined {
  const pause = PAUSES_MS[attempts - 1]
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
