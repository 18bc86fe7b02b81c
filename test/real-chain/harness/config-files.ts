/** Settings of a single node. A restart can change them. */
export interface NodeSettings {
  blockTimeMs: number
  /** The lowest gas price that the node accepts in CheckTx, such as `0.025uSERVICE`. */
  minGasPrices: string
  mempoolSize: number
  /** Number of newest blocks that the node keeps; 0 keeps all. */
  minRetainBlocks: number
}

export type NodePorts = Record<'rpc' | 'rest' | 'p2p', number>

export const configToml = ({ blockTimeMs, mempoolSize }: NodeSettings, ports: NodePorts): string => `
[rpc]
laddr = "tcp://127.0.0.1:${ports.rpc}"
# Tests flush the mempool with an unsafe RPC method.
unsafe = true

[p2p]
laddr = "tcp://127.0.0.1:${ports.p2p}"
pex = false

[mempool]
size = ${mempoolSize}

[consensus]
timeout_commit = "${blockTimeMs}ms"
`

/** Without a REST server, a node has no simulations. */
export const appToml = ({ minGasPrices, minRetainBlocks }: NodeSettings, ports: NodePorts): string => `
minimum-gas-prices = "${minGasPrices}"
pruning = "nothing"
min-retain-blocks = ${minRetainBlocks}

[api]
enable = true
address = "tcp://127.0.0.1:${ports.rest}"

[grpc]
enable = false
`
