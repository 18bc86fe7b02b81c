/** The start of time; any date would do. */
const EPOCH_MS = Date.UTC(2030, 0, 1)

/** A scheduled action; `action` is undefined once cancelled. */
interface Event {
  at: number
  action: (() => void) | undefined
}

export type VirtualClock = ReturnType<typeof createVirtualClock>

/** A clock that advances to the next event only when no work is left before it. */
export function createVirtualClock() {
  /** The next event is the last one; of those at one time, the one that was scheduled first. */
  const queue: Event[] = []
  let elapsed = 0
  let offset = 0
  let lingering = 0
  const held = new Set<Promise<unknown>>()

  function after(ms: number, action: () => void): () => void {
    const event: Event = { at: elapsed + Math.max(0, ms), action }
    let [place, end] = [0, queue.length]
    while (place < end) {
      const middle = (place + end) >> 1
      if ((queue[middle]?.at ?? 0) > event.at) place = middle + 1
      else end = middle
    }
    queue.splice(place, 0, event)
    return () => {
      event.action = undefined
    }
  }

  /** Waits a turn of the event loop, by which all code that only awaits promises has continued. */
  async function settle(): Promise<void> {
    do {
      await Promise.allSettled(held)
      await new Promise(resolve => setImmediate(resolve))
      lingering -= 1
    } while (lingering >= 0 || held.size > 0)
    lingering = 0
  }

  return {
    now: () => EPOCH_MS + offset + elapsed,
    /** Milliseconds since the start of the schedule. */
    elapsed: () => elapsed,
    after,
    delay: (ms: number) => new Promise<void>(resolve => void after(ms, resolve)),
    /** The true time, in milliseconds since the epoch; `step` does not change it. */
    worldTime: () => EPOCH_MS + elapsed,
    /** Sets the wall clock forward or back; `elapsed` is unaffected. */
    step(ms: number): void {
      offset += ms
    },
    /** Stops the clock for another turn of the event loop, for code that waits with `setImmediate`. */
    linger(): void {
      lingering = 1
    },
    /** Stops the clock until `work`, which takes real time, is done. */
    async hold<T>(work: Promise<T>): Promise<T> {
      held.add(work)
      try {
        return await work
      } finally {
        held.delete(work)
      }
    },
    /** Runs from event to event until `isOver`, or until no event is left. */
    async run(isOver: () => boolean): Promise<void> {
      await settle()
      while (!isOver()) {
        const event = queue.pop()
        if (!event) return
        if (!event.action) continue
        elapsed = event.at
        event.action()
        await settle()
      }
    }
  }
}
