const MINUTE_MS = 60_000

/**
 * Counts what may happen very often.
 * @param report called with the count: at the first time, and then once a minute while it goes on
 * @returns to be called each time
 */
export function onceAMinute(report: (count: number) => void): () => void {
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function next(): void {
    timer = undefined
    if (count === 0) return
    report(count)
    count = 0
    timer = setTimeout(next, MINUTE_MS).unref()
  }

  return () => {
    count += 1
    if (timer === undefined) next()
  }
}
