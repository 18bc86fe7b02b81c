import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startProcess } from '../../helpers/process.ts'
import { rpc } from '../../helpers/rpc.ts'
import { until } from '../../helpers/until.ts'
import { chainBinary, type Sdk } from '../binary.ts'

/** Settings of a single node. A restart can change them. */
export interface NodeSettings {
  blockTimeMs: number
  /** The lowest gas price that the node accepts in CheckTx, such as `0.025uSERVICE`. */
  minGasPrices: string
  mempoolSize: number
  /** Number of newest blocks that the node keeps; 0 keeps all. */
  minRetainBlocks: number
}

type NodePorts = Record<'rpc' | 'rest' | 'p2p', number>

const configToml = ({ blockTimeMs, mempoolSize }: NodeSettings, ports: NodePorts): string => `
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
const appToml = ({ minGasPrices, minRetainBlocks }: NodeSettings, ports: NodePorts): string => `
minimum-gas-prices = "${minGasPrices}"
pruning = "nothing"
min-retain-blocks = ${minRetainBlocks}

[api]
enable = true
address = "tcp://127.0.0.1:${ports.rest}"

[grpc]
enable = false
`

const TAIL = 4000

/** Starts a node on its data directory, and waits for its first block. @throws Error with the end of the node's log */
export async function startNode(t: Test, sdk: Sdk, home: string, ports: NodePorts, initial: NodeSettings) {
  const binary = chainBinary(sdk)
  const urls = { rpc: `http://127.0.0.1:${ports.rpc}` }
  if (!existsSync(binary)) throw new Error(`${binary} does not exist: run "npm run build:chain" first`)
  let settings = initial
  let running: ReturnType<typeof startProcess> | undefined

  async function start(): Promise<void> {
    writeFileSync(join(home, 'config/config.toml'), configToml(settings, ports))
    writeFileSync(join(home, 'config/app.toml'), appToml(settings, ports))
    const started = startProcess(t, binary, ['start', '--home', home], {}, 'KILL')
    running = started
    let hasExited = false
    started.exited.then(() => {
      hasExited = true
    })
    await until(async () => {
      if (hasExited) throw new Error(`the node exited: ${started.output.slice(-TAIL)}`)
      const status = await rpc(urls.rpc, 'status').catch(() => undefined)
      const height = Number(Object(status?.result?.['sync_info']).latest_block_height)
      const serving = await fetch(`http://127.0.0.1:${ports.rest}`).catch(() => undefined)
      return height > 0 && serving !== undefined
    }, `the node of ${home} has a block and simulates`)
  }

  const end = async (signal: NodeJS.Signals) => running?.stop(signal)

  await start()
  return {
    urls,
    /** Stops the node with SIGTERM. Does nothing if it is not running. */
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    /** Restarts or starts the node on its data and waits until it responds. Changed settings persist. */
    async restart(changed?: Partial<NodeSettings>): Promise<void> {
      await end('SIGTERM')
      settings = { ...settings, ...changed }
      await start()
    }
  }
}
