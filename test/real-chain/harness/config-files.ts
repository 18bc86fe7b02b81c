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

/** A TOML table. Values are written as JSON, whose strings, numbers and booleans are valid TOML. */
type Table = Record<string, string | number | boolean>

function toml(root: Table, tables: Record<string, Table>): string {
  const lines = (table: Table) =>
    Object.entries(table).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  return `${[
    ...lines(root),
    ...Object.entries(tables).flatMap(([name, table]) => ['', `[${name}]`, ...lines(table)])
  ].join('\n')}\n`
}

export const configToml = ({ blockTimeMs, mempoolSize }: NodeSettings, ports: NodePorts): string =>
  toml(
    { moniker: 'real-chain', db_backend: 'goleveldb', log_level: 'info' },
    {
      // Tests flush the mempool with an unsafe RPC method.
      rpc: { laddr: `tcp://127.0.0.1:${ports.rpc}`, pprof_laddr: '', unsafe: true },
      p2p: { laddr: `tcp://127.0.0.1:${ports.p2p}`, pex: false },
      mempool: { size: mempoolSize },
      consensus: {
        timeout_propose: '500ms',
        timeout_propose_delta: '100ms',
        timeout_prevote: '100ms',
        timeout_prevote_delta: '100ms',
        timeout_precommit: '100ms',
        timeout_precommit_delta: '100ms',
        timeout_commit: `${blockTimeMs}ms`,
        create_empty_blocks: true
      }
    }
  )

export const appToml = ({ minGasPrices, minRetainBlocks }: NodeSettings, ports: NodePorts): string =>
  toml(
    { 'minimum-gas-prices': minGasPrices, pruning: 'nothing', 'min-retain-blocks': minRetainBlocks },
    {
      // Without a REST server, a node has no simulations.
      api: { enable: true, address: `tcp://127.0.0.1:${ports.rest}` },
      grpc: { enable: false },
      'grpc-web': { enable: false }
    }
  )
