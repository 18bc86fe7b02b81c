import { type Clock, systemClock } from '../clock.ts'

/**
 * Minimum time between polls, per client and overall, in milliseconds. Allows 20 and 200 polls per second (interface
 * 22.6).
 */
const REST_OF_ONE_CLIENT = 50
const REST_OF_ALL = 5

interface Poll {
  /** The clients that are watching the id. */
  clients: ReadonlyMap<string, unknown>
  begin: () => Promise<void>
}

/**
 * Starts a poll once the minimum time has passed since the last poll overall, and since the last poll charged to one of
 * its clients. Charges the poll to that client. This prevents a client from multiplying upstream calls by watching many
 * ids.
 * @returns a function that cancels a poll that has not started
 */
export type PollLimiter = (clients: Poll['clients'], begin: Poll['begin']) => () => void

/** @param most maximum concurrent polls */
export function createPollLimiter(most: number, clock: Clock = systemClock): PollLimiter {
  /** Waiting polls, in order of arrival. */
  const waiting = new Set<Poll>()
  /** Clients that must wait, each with the time when its wait ends, in order of that time. */
  const resting = new Map<string, number>()
  let allRestUntil = 0
  let running = 0
  let cancelRelease = () => {}

  /** Returns the first poll with a client that does not have to wait, and that client. */
  function findNext(): [Poll, string] | undefined {
    for (const poll of waiting) {
      for (const client of poll.clients.keys()) if (!resting.has(client)) return [poll, client]
    }
    return undefined
  }

  /**
   * Starts the next poll if the limits allow. Then schedules its own next call for the time when another poll may
   * start.
   */
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
