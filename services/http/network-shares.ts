/** A client, and for IPv6 the larger networks around it, from the smallest (interface 14.10). */
export type Networks = readonly [client: string, ...around: string[]]

/** Counts what clients hold, so that neither one of them nor a network around it holds most of all. */
export interface NetworkShares {
  isFull(networks: Networks): boolean
  count(networks: Networks, change: 1 | -1): void
}

/** @param mostOfOneClient of what is counted; each network around it may hold twice as much as the one before */
export function createNetworkShares(mostOfOneClient: number): NetworkShares {
  const held = new Map<string, number>()
  return {
    isFull: networks =>
      networks.some((network, size) => (held.get(network) ?? 0) >= mostOfOneClient * 2 ** size),
    count(networks, change) {
      for (const network of networks) {
        const holds = (held.get(network) ?? 0) + change
        if (holds === 0) held.delete(network)
        else held.set(network, holds)
      }
    }
  }
}
