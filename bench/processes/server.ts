import { join } from 'node:path'
import { freePort } from '../../devnet/free-port.ts'
import { until } from '../../test/helpers/until.ts'
import { type Child, startChild } from './child.ts'
import type { Network } from './network.ts'
import { script } from './script.ts'

const HOST = '127.0.0.1'

export interface Server extends Pick<Child, 'usage' | 'stop' | 'kill' | 'exited'> {
  url: string
  /** The file that its log goes to. */
  logPath: string
}

/**
 * The environment of a production server at that network, with a store in `directory`. It has no compliance provider,
 * because the benchmarks measure submissions to the chain.
 */
export function serviceEnv(network: Network, directory: string): Record<string, string> {
  const { COMPLIANCE_URL: _, ...env } = network.env
  return {
    ...env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    SERVICE_DATA_DIR: join(directory, 'data'),
    // All requests come from one address.
    RATE_LIMIT_MAX: '1000000',
    RATE_LIMIT_WINDOW: '1000'
  }
}

/**
 * Starts the server as it runs in production, with a new store in `directory`, and waits until it is healthy.
 * @param options.nodeArgs additional arguments of node, such as `--cpu-prof`
 * @param options.env variables beside those of the network
 */
export async function startServer(
  network: Network,
  { directory, nodeArgs, env = {} }: { directory: string; nodeArgs: string[]; env?: Record<string, string> }
): Promise<Server> {
  const port = await freePort(HOST)
  const logPath = join(directory, 'server.log')
  const child = startChild({
    args: [...nodeArgs, script('server')],
    env: { ...serviceEnv(network, directory), ...env, HOST, PORT: String(port) },
    cwd: directory,
    logPath
  })
  const url = `http://${HOST}:${port}`
  await until(() => isHealthy(url, child), 'the server is healthy')
  const { usage, stop, kill, exited } = child
  return { url, logPath, usage, stop, kill, exited }
}

async function isHealthy(url: string, child: Child): Promise<boolean> {
  if (child.ended) throw new Error('the server ended; see its log')
  const response = await fetch(`${url}/health`).catch(() => undefined)
  return (await response?.text()) === 'ok'
}
