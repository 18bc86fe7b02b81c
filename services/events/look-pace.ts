/** What the ids that one client watches may cost, in looks a second, and what those of all clients may (interface 22.6). */
const LOOKS_OF_ONE_CLIENT = 20
const LOOKS_OF_ALL = 200

/**
 * How long the looks at an id must be apart, so that nobody multiplies calls to an upstream by watching many ids.
 */
export interface LookPace {
  /** Called when a client begins to watch an id. @returns a function for when it ends */
  watching(client: string): () => void
  /** The least time between two looks at an id of these clients, in milliseconds: it costs the one that watches the fewest. */
  pauseOf(clients: readonly string[]): number
}

export function createLookPace(): LookPace {
  const byClient = new Map<string, number>()
  let all = 0

  function count(client: string, change: 1 | -1): void {
    const number = (byClient.get(client) ?? 0) + change
    if (number === 0) byClient.delete(client)
    else byClient.set(client, number)
    all += change
  }

  return {
    watching(client) {
      count(client, 1)
      return () => count(client, -1)
    },
    pauseOf(clients) {
      const fewest = Math.min(...clients.map(client => byClient.get(client) ?? 0))
      return Math.max((fewest * 1000) / LOOKS_OF_ONE_CLIENT, (all * 1000) / LOOKS_OF_ALL)
    }
  }
}
