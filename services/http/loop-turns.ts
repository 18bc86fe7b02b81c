/**
 * For how long requests begin in one turn of the event loop, in milliseconds, and how many of those that had to wait begin in
 * one at most. Both bound how long everything else waits for them: the probes, the blocks of the chain, and the requests that
 * are refused. The time is for those that cost much, such as submissions, and the number for those whose work comes later.
 */
const BEGIN_MS = 5
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
    turnSince = undefined
    if (isRefusing && waiting.length === 0) {
      isRefusing = false
      onChange(false)
    }
    if (waiting.length === 0) return
    startTurn(now())
    // Each has a callback of its own: only what it leads to at once, which Node does before the next callback, takes time.
    const others = Math.min(waiting.length, PER_TURN) - 1
    for (let number = 0; number < others; number += 1) setImmediate(beginOldest)
    beginOldest()
  }

  function beginOldest(): void {
    if (turnSince !== undefined && now() - turnSince < BEGIN_MS) waiting.shift()?.begin()
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
    if (waiting.length === 0 && at - since < BEGIN_MS) {
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
