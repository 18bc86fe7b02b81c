const EPOCH_MS = Date.UTC(2030, 0, 1)

interface Event {
  at: number
  action: (() => void) | undefined
}

export type VirtualClock = ReturnType<typeof createVirtualClock>

/** Creates a clock that advances to the next event only when all work started by earlier events is done. */
export function createVirtualClock() {
  /** The next event is the last element. Events at the same time run in the order of their scheduling. */
  const queue: Event[] = []
  let elapsed = 0
  let offset = 0
  let lingering = 0
  const held = new Set<Promise<unknown>>()

  function after(ms: number, action: () => void): () => void {
    const event: Event = { at: elapsed + Math.max(0, ms), action }
    const later = queue.findLastIndex(({ at }) => at > event.at)
    queue.splice(later + 1, 0, event)
    return () => {
      event.action = undefined
    }
  }

  /** Waits for the work passed to `hold`, and one turn of the event loop, in which code runs that awaits promises. */
  async function settle(): Promise<void> {
    do {
      await Promise.allSettled(held)
      await new Promise(resolve => setImmediate(resolve))
      lingering -= 1
    } while (lingering >= 0 || held.size > 0)
    lingering = 0
  }

  async function run(isOver: () => boolean): Promise<void> {
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

  return {
    now: () => EPOCH_MS + offset + elapsed,
    elapsed: () => elapsed,
    after,
    delay: (ms: number) => new Promise<void>(resolve => void after(ms, resolve)),
    /** The true time, in milliseconds since the epoch; unaffected by `step`. */
    worldTime: () => EPOCH_MS + elapsed,
    /** Moves the wall clock by `ms`, backward if negative. Does not affect `elapsed`. */
    step(ms: number): void {
      offset += ms
    },
    /** Makes the clock wait for one more turn of the event loop. Needed for code that waits with `setImmediate`. */
    linger(): void {
      lingering = 1
    },
    /** Stops the clock until `work`, which takes real time, has finished. @returns the result of `work` */
    async hold<T>(work: Promise<T>): Promise<T> {
      held.add(work)
      try {
        return await work
      } finally {
        held.delete(work)
      }
    },
    run,
    /** Runs the events in order until at least `ms` milliseconds have passed or no event is left. */
    runFor(ms: number): Promise<void> {
      const end = elapsed + ms
      return run(() => elapsed >= end)
    }
  }
}
