/** A client and, for IPv6, the networks that contain it, smallest first (interface 14.10). */
export type Networks = readonly [client: string, ...around: string[]]

/**
 * Counts the resources held by each client and network.
 * @param mostOfOneClient maximum per client; each network may hold twice as many as the next smaller one
 */
export function createNetworkShares(mostOfOneClient: number) {
  const held = new Map<string, number>()
  return {
    isFull: (networks: Networks) =>
      networks.some((network, size) => (held.get(network) ?? 0) >= mostOfOneClient * 2 ** size),
    count(networks: Networks, change: 1 | -1): void {
      for (const network of networks) {
        const holds = (held.get(network) ?? 0) + change
        if (holds === 0) held.delete(network)
        else held.set(network, holds)
      }
    }
  }
}
