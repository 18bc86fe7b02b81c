import type { Clock } from '../../../services/submission/runtime/clock.ts'
import { createEventQueue, type Event } from './event-queue.ts'

/** Where time begins; any date would do. */
const EPOCH_MS = Date.UTC(2030, 0, 1)

/** A clock that moves only when everybody has done what there was to do. */
export interface VirtualClock extends Clock {
  /** Milliseconds since the schedule began. */
  elapsed(): number
  delay(ms: number): Promise<void>
  /** Lets the present moment last another turn of the event loop: somebody waits with `setImmediate`. */
  linger(): void
  /** Runs from event to event until `isOver`, or until nothing is left to happen. */
  run(isOver: () => boolean): Promise<void>
}

export function createVirtualClock(): VirtualClock {
  const queue = createEventQueue()
  let elapsed = 0
  let lingering = 0

  function after(ms: number, action: () => void): () => void {
    const event: Event = { at: elapsed + Math.max(0, ms), action }
    queue.push(event)
    return () => {
      event.action = undefined
    }
  }

  /** Everything that waits for nothing but promises has gone on when the event loop turns. */
  async function settle(): Promise<void> {
    do {
      await new Promise(resolve => setImmediate(resolve))
      lingering -= 1
    } while (lingering >= 0)
    lingering = 0
  }

  return {
    now: () => EPOCH_MS + elapsed,
    elapsed: () => elapsed,
    after,
    delay: ms => new Promise(resolve => void after(ms, resolve)),
    linger() {
      lingering = 1
    },
    async run(isOver) {
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
