import { type Clock, systemClock } from '../clock.ts'

/** Minimum times between polls, in milliseconds: 20 polls per second per client and 200 overall (interface 22.6). */
const REST_OF_ONE_CLIENT = 50
const REST_OF_ALL = 5

interface Poll {
  clients: ReadonlyMap<string, unknown>
  begin: () => Promise<void>
}

/**
 * Starts a poll once the overall limit and the limit of one of its clients allow it. The poll counts against that
 * client, so no client can multiply upstream calls by watching many ids.
 * @returns a function that cancels a poll that has not started
 */
export type PollLimiter = (clients: Poll['clients'], begin: Poll['begin']) => () => void

/** @param most maximum concurrent polls */
export function createPollLimiter(most: number, clock: Clock = systemClock): PollLimiter {
  const waiting = new Set<Poll>()
  /** When each resting client may poll again, in order of time. */
  const resting = new Map<string, number>()
  let allRestUntil = 0
  let running = 0
  let cancelRelease = () => {}

  function findNext(): [Poll, string] | undefined {
    for (const poll of waiting) {
      for (const client of poll.clients.keys()) if (!resting.has(client)) return [poll, client]
    }
    return undefined
  }

  /** Starts the next poll if the limits allow, and schedules the next call. */
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
      const [poll, client] = next
      waiting.delete(poll)
      resting.set(client, now + REST_OF_ONE_CLIENT)
      allRestUntil = now + REST_OF_ALL
      running += 1
      poll.begin().finally(() => {
        running -= 1
        release()
      })
    }
    const [clientRestsUntil = now] = resting.values()
    cancelRelease = clock.after((now < allRestUntil ? allRestUntil : clientRestsUntil) - now, release)
  }

  return (clients, begin) => {
    const poll = { clients, begin }
    waiting.add(poll)
    release()
    return () => waiting.delete(poll)
  }
}
