const MINUTE_MS = 60_000

/**
 * Counts events that can be very frequent, and reports them at most once a minute.
 * @param report called with the count and the latest value: on the first event, then once a minute while events
 *   continue
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
