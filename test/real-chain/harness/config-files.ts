import type { NodePorts, NodeSettings } from './settings.ts'

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

export function configToml(settings: NodeSettings, ports: NodePorts): string {
  const { blockTimeMs, mempoolSize } = settings
  return toml(
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
}

export function appToml(settings: NodeSettings, ports: NodePorts): string {
  const { minGasPrices, minRetainBlocks } = settings
  return toml(
    { 'minimum-gas-prices': minGasPrices, pruning: 'nothing', 'min-retain-blocks': minRetainBlocks },
    {
      // Without a REST server, a node has no simulations.
      api: { enable: true, address: `tcp://127.0.0.1:${ports.rest}` },
      grpc: { enable: false },
      'grpc-web': { enable: false }
    }
  )
}
