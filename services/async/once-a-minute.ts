const MINUTE_MS = 60_000

/**
 * Limits reports of frequent events.
 * @param report called on the first event, and then once a minute while events continue, with their number and the
 *   latest value
 * @returns a function to call on each event
 */
export function onceAMinute<T = void>(report: (count: number, latest: T) => void): (value: T) => void {
  let count = 0
  let latest: { value: T } | undefined
  let timer: NodeJS.Timeout | undefined

  function next(): void {
    timer = undefined
    if (latest === undefined) return
    report(count, latest.value)
    count = 0
    latest = undefined
    timer = setTimeout(next, MINUTE_MS).unref()
  }

  return value => {
    count += 1
    latest = { value }
    if (timer === undefined) next()
  }
}
