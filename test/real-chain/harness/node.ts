import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startProcess } from '../../helpers/process.ts'
import { rpc } from '../../helpers/rpc.ts'
import { until } from '../../helpers/until.ts'
import { appToml, configToml, type NodePorts, type NodeSettings } from './config-files.ts'

/** Length of the end of the log that an error quotes. */
const TAIL = 4000

/**
 * Starts a node and waits for its first block. It is killed when the test ends.
 * @param home its data directory, with its keys and the genesis
 * @throws Error with the end of the node's log
 */
export async function startNode(
  t: Test,
  binary: string,
  home: string,
  ports: NodePorts,
  initial: NodeSettings
) {
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
