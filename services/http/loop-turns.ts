/**
 * For how long requests begin as they come in one turn of the event loop, in milliseconds, and how many of those that had to
 * wait begin in one. As many submissions are about a hundredth of a second of work. Both bound how long the probes and the
 * blocks of the chain wait for them.
 */
const AT_ONCE_MS = 5
const PER_TURN = 16

/**
 * How long requests may wait for their turn before new ones are refused, in milliseconds. Thousands of clients that come back
 * after each block are worked off in less.
 */
const PATIENCE_MS = 2000

interface Waiting {
  begin: () => void
  since: number
}

/**
 * Lets requests begin in the order in which they come, for a limited time in each turn of the event loop (interface 21.8).
 * Without it, thousands that come at once would all begin before anything else is done. Short ones all begin at once, because
 * a later turn costs more than they do.
 * @param onChange called when requests begin to be refused, and when none waits any more
 * @param now in milliseconds
 * @returns a function that calls `begin`, now or in a later turn, or returns false: the request is refused
 */
export function createLoopTurns(
  onChange: (isOverloaded: boolean) => void,
  now: () => number = performance.now.bind(performance)
): (begin: () => void) => boolean {
  const waiting: Waiting[] = []
  /** When the first request of this turn began; undefined before it. */
  let turnSince: number | undefined
  let isRefusing = false

  function nextTurn(): void {
    const next = waiting.splice(0, PER_TURN)
    turnSince = undefined
    if (next.length > 0) startTurn(now())
    if (isRefusing && waiting.length === 0) {
      isRefusing = false
      onChange(false)
    }
    for (const { begin } of next) begin()
  }

  function startTurn(at: number): number {
    turnSince = at
    setImmediate(nextTurn)
    return at
  }

  function isOverloaded(at: number): boolean {
    const [oldest] = waiting
    return oldest !== undefined && at - oldest.since > PATIENCE_MS
  }

  return begin => {
    const at = now()
    const since = turnSince ?? startTurn(at)
    if (waiting.length === 0 && at - since < AT_ONCE_MS) {
      begin()
      return true
    }
    if (!isOverloaded(at)) {
      waiting.push({ begin, since: at })
      return true
    }
    if (!isRefusing) {
      isRefusing = true
      onChange(true)
    }
    return false
  }
}
