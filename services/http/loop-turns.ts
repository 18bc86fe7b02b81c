/**
 * How many requests may begin in one turn of the event loop. As many submissions are about a hundredth of a second of work,
 * which bounds how long the probes and the blocks of the chain wait for them. Node accepts one connection a turn.
 */
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
 * Lets requests begin in the order in which they come, a limited number in each turn of the event loop (interface 21.8).
 * Without it, thousands that come at once would all begin before anything else is done.
 * @param onChange called when requests begin to be refused, and when none waits any more
 * @returns a function that calls `begin`, now or in a later turn, or returns false: the request is refused
 */
export function createLoopTurns(onChange: (isOverloaded: boolean) => void): (begin: () => void) => boolean {
  const waiting: Waiting[] = []
  let left = PER_TURN
  let isRefusing = false

  function nextTurn(): void {
    const next = waiting.splice(0, PER_TURN)
    left = PER_TURN - next.length
    if (next.length > 0) setImmediate(nextTurn)
    if (isRefusing && waiting.length === 0) {
      isRefusing = false
      onChange(false)
    }
    for (const { begin } of next) begin()
  }

  function isOverloaded(now: number): boolean {
    const [oldest] = waiting
    return oldest !== undefined && now - oldest.since > PATIENCE_MS
  }

  return begin => {
    if (left > 0) {
      if (left === PER_TURN) setImmediate(nextTurn)
      left -= 1
      begin()
      return true
    }
    const now = performance.now()
    if (!isOverloaded(now)) {
      waiting.push({ begin, since: now })
      return true
    }
    if (!isRefusing) {
      isRefusing = true
      onChange(true)
    }
    return false
  }
}
