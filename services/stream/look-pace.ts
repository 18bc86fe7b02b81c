import { type Clock, systemClock } from '../clock.ts'

/** The least time between two looks of one client, and between two of all, in milliseconds: 20 and 200 a second (interface 22.6). */
const REST_OF_ONE_CLIENT = 50
const REST_OF_ALL = 5

interface Look {
  /** The clients that watch the id now. */
  clients: ReadonlyMap<string, unknown>
  begin: () => Promise<void>
}

/**
 * Begins a look when all, and one of its clients, have rested since their last one, so that nobody multiplies calls to an upstream by
 * watching many ids. It is the look of that client.
 * @returns a function that gives up a look that has not begun
 */
export type LookPace = (clients: Look['clients'], begin: Look['begin']) => () => void

/** @param most the looks at the same time */
export function createLookPace(most: number, clock: Clock = systemClock): LookPace {
  /** In the order in which they came. */
  const waiting = new Set<Look>()
  /** The clients that rest, and until when, which is their order. */
  const resting = new Map<string, number>()
  let allRestUntil = 0
  let running = 0
  let cancelRelease = () => {}

  /** The first look that one of its clients may have, with that client. */
  function findNext(): [Look, string] | undefined {
    for (const look of waiting) {
      for (const client of look.clients.keys()) if (!resting.has(client)) return [look, client]
    }
    return undefined
  }

  /** Begins the next look, if one may begin now, and comes back when another one may. */
  function release(): void {
    cancelRelease()
    if (waiting.size === 0 || running >= most) return
    const now = clock.elapsed()
    for (const [client, until] of resting) {
      if (until > now) break
      resting.delete(client)
    }
    const next = now < allRestUntil ? undefined : findNext()
    if (next) {
      const [look, client] = next
      waiting.delete(look)
      resting.set(client, now + REST_OF_ONE_CLIENT)
      allRestUntil = now + REST_OF_ALL
      running += 1
      look.begin().finally(() => {
        running -= 1
        release()
      })
    }
    const [clientRestsUntil = now] = resting.values()
    cancelRelease = clock.after((now < allRestUntil ? allRestUntil : clientRestsUntil) - now, release)
  }

  return (clients, begin) => {
    const look = { clients, begin }
    waiting.add(look)
    release()
    return () => waiting.delete(look)
  }
}
