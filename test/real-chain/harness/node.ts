import { existsSync } from 'node:fs'
import { until } from '../../helpers/until.ts'
import type { Home } from './home.ts'
import { logTail, type NodeProcess, startProcess } from './process.ts'
import type { NodePorts, NodeSettings } from './settings.ts'

export type RealNode = Awaited<ReturnType<typeof startNode>>

interface NodeOptions {
  binary: string
  home: Home
  ports: NodePorts
  peers: readonly string[]
  settings: NodeSettings
  authority: string
}

/** Starts a node and waits for its first block and its REST server. @throws Error with the end of the node's log */
export async function startNode(options: NodeOptions) {
  const { binary, home, ports, peers, authority } = options
  const urls = { rpc: `http://127.0.0.1:${ports.rpc}`, rest: `http://127.0.0.1:${ports.rest}` }
  if (!existsSync(binary)) throw new Error(`${binary} does not exist: run "npm run build:chain" first`)
  let { settings } = options
  let running: NodeProcess | undefined

  async function start(): Promise<void> {
    home.configure(settings, ports, peers, authority)
    const started = startProcess(binary, home.path)
    running = started
    try {
      await until(async () => {
        if (started.end !== undefined) throw new Error(started.end)
        const { id, height } = (await readStatus(urls.rpc)) ?? {}
        if (id !== undefined && id !== home.nodeId) throw new Error(`another node responds at ${urls.rpc}`)
        return (height ?? 0) > 0 && (await servesRest(urls.rest))
      }, `the node of ${home.path} has a block and serves REST`)
    } catch (error) {
      await end('SIGKILL')
      throw new Error(`${String(error)}. The node logged: ${await logTail(home.path)}`)
    }
  }

  async function end(name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const ending = running
    running = undefined
    // A frozen process cannot handle SIGTERM.
    if (name === 'SIGTERM') ending?.signal('SIGCONT')
    ending?.signal(name)
    await ending?.ended
  }

  async function height(): Promise<number> {
    const status = await readStatus(urls.rpc)
    if (status === undefined) throw new Error(`the node of ${home.path} does not respond`)
    return status.height
  }

  await start()
  return {
    urls,
    /** The data directory, which contains the log `node.log`. */
    home: home.path,
    /** The node's address for another node's `persistent_peers`. */
    peer: `${home.nodeId}@127.0.0.1:${ports.p2p}`,
    height,
    /** Waits for `count` more blocks. */
    async blocks(count: number): Promise<void> {
      const awaited = (await height()) + count
      await until(async () => (await height()) >= awaited, `the chain is at block ${awaited}`)
    },
    /** Stops the node with SIGTERM. Does nothing if it is not running. */
    stop: () => end('SIGTERM'),
    /** Kills the node with SIGKILL, even if it is frozen. */
    kill: () => end('SIGKILL'),
    /** Restarts or starts the node on its data and waits until it responds. Changed settings persist. */
    async restart(changed?: Partial<NodeSettings>): Promise<void> {
      await end('SIGTERM')
      settings = { ...settings, ...changed }
      await start()
    },
    /** Suspends the process: connections stay open but get no responses. */
    freeze: () => running?.signal('SIGSTOP'),
    thaw: () => running?.signal('SIGCONT'),
    ended: async () => running?.ended
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

function servesRest(rest: string): Promise<boolean> {
  return fetch(rest, { signal: AbortSignal.timeout(20_000) }).then(
    () => true,
    () => false
  )
}
