import { existsSync } from 'node:fs'
import { until } from '../../helpers/until.ts'
import type { NodePorts, NodeSettings } from './config-files.ts'
import type { Home } from './home.ts'
import { logTail, type NodeProcess, startProcess } from './process.ts'

/** Starts a node and waits for its first block. @throws Error with the end of the node's log */
export async function startNode(binary: string, home: Home, ports: NodePorts, initial: NodeSettings) {
  const urls = { rpc: `http://127.0.0.1:${ports.rpc}` }
  if (!existsSync(binary)) throw new Error(`${binary} does not exist: run "npm run build:chain" first`)
  let settings = initial
  let running: NodeProcess | undefined

  async function start(): Promise<void> {
    home.configure(settings, ports)
    const started = startProcess(binary, home.path)
    running = started
    try {
      await until(async () => {
        if (started.end !== undefined) throw new Error(started.end)
        const { id, height } = (await readStatus(urls.rpc)) ?? {}
        if (id !== undefined && id !== home.nodeId) throw new Error(`another node responds at ${urls.rpc}`)
        const serving = await fetch(`http://127.0.0.1:${ports.rest}`).catch(() => undefined)
        return (height ?? 0) > 0 && serving !== undefined
      }, `the node of ${home.path} has a block and simulates`)
    } catch (error) {
      await end('SIGKILL')
      throw new Error(`${String(error)}. The node logged: ${await logTail(home.path)}`)
    }
  }

  async function end(name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const ending = running
    running = undefined
    ending?.signal(name)
    await ending?.ended
  }

  await start()
  return {
    urls,
    /** Stops the node with SIGTERM. Does nothing if it is not running. */
    stop: () => end('SIGTERM'),
    /** Kills the node with SIGKILL. */
    kill: () => end('SIGKILL'),
    /** Restarts or starts the node on its data and waits until it responds. Changed settings persist. */
    async restart(changed?: Partial<NodeSettings>): Promise<void> {
      await end('SIGTERM')
      settings = { ...settings, ...changed }
      await start()
    }
  }
}

interface Status {
  node_info: { id: string }
  sync_info: { latest_block_height: string }
}

/** Returns the id and newest height of the node at an RPC URL; undefined if no node responds. */
async function readStatus(rpc: string): Promise<{ id: string; height: number } | undefined> {
  try {
    const response = await fetch(`${rpc}/status`, { signal: AbortSignal.timeout(20_000) })
    const { node_info, sync_info } = ((await response.json()) as { result: Status }).result
    return { id: node_info.id, height: Number(sync_info.latest_block_height) }
  } catch {
    return undefined
  }
}
