import { existsSync } from 'node:fs'
import { until } from '../../helpers/until.ts'
import type { Home } from './home.ts'
import { logTail, type NodeProcess, startProcess } from './process.ts'
import type { NodePorts, NodeSettings } from './settings.ts'

/** A full node with its RPC and REST servers. */
export interface RealNode {
  readonly urls: { rpc: string; rest: string }
  /** The data directory, which contains the log `node.log`. */
  readonly home: string
  /** Its address for another node's `persistent_peers`. */
  readonly peer: string
  /** Height of the newest block. */
  height(): Promise<number>
  /** Waits for that many more blocks. */
  blocks(count: number): Promise<void>
  /** Stops it with SIGTERM; does nothing when it is not running. */
  stop(): Promise<void>
  /** Kills it with SIGKILL, even when frozen. */
  kill(): Promise<void>
  /** Restarts it on its data and waits until it responds; starts it when stopped. Changed settings persist. */
  restart(changed?: Partial<NodeSettings>): Promise<void>
  /** Suspends the process: connections stay open without responses. */
  freeze(): void
  thaw(): void
  /** Resolves when the current process has ended. */
  ended(): Promise<void>
}

export interface NodeOptions {
  binary: string
  home: Home
  ports: NodePorts
  peers: readonly string[]
  settings: NodeSettings
  authority: string
}

/**
 * Starts a node and waits for its first block and its REST server.
 * @throws Error with the end of the node's log when the node ends first, or when another node has its port
 */
export async function startNode(options: NodeOptions): Promise<RealNode> {
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
        if (id !== undefined && id !== home.nodeId) throw new Error(`another node answers at ${urls.rpc}`)
        return (height ?? 0) > 0 && (await answersRest(urls.rest))
      }, `the node of ${home.path} has a block and answers REST requests`)
    } catch (error) {
      await end('SIGKILL')
      throw new Error(`${String(error)}. The node logged: ${await logTail(home.path)}`)
    }
  }

  async function end(name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const ending = running
    running = undefined
    // A frozen process handles only SIGKILL.
    if (name === 'SIGTERM') ending?.signal('SIGCONT')
    ending?.signal(name)
    await ending?.ended
  }

  async function height(): Promise<number> {
    const status = await readStatus(urls.rpc)
    if (status === undefined) throw new Error(`the node of ${home.path} does not answer`)
    return status.height
  }

  await start()
  return {
    urls,
    home: home.path,
    peer: `${home.nodeId}@127.0.0.1:${ports.p2p}`,
    height,
    async blocks(count) {
      const awaited = (await height()) + count
      await until(async () => (await height()) >= awaited, `the chain is at block ${awaited}`)
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async restart(changed) {
      await end('SIGTERM')
      settings = { ...settings, ...changed }
      await start()
    },
    freeze: () => running?.signal('SIGSTOP'),
    thaw: () => running?.signal('SIGCONT'),
    ended: async () => running?.ended
  }
}

interface Status {
  node_info: { id: string }
  sync_info: { latest_block_height: string }
}

/** Returns the responding node's id and newest height; undefined without a response. */
async function readStatus(rpc: string): Promise<{ id: string; height: number } | undefined> {
  try {
    const response = await fetch(`${rpc}/status`, { signal: AbortSignal.timeout(20_000) })
    const { node_info, sync_info } = ((await response.json()) as { result: Status }).result
    return { id: node_info.id, height: Number(sync_info.latest_block_height) }
  } catch {
    return undefined
  }
}

function answersRest(rest: string): Promise<boolean> {
  return fetch(rest, { signal: AbortSignal.timeout(20_000) }).then(
    () => true,
    () => false
  )
}
