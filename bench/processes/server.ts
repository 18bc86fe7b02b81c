import { join } from 'node:path'
import { freePort } from '../../devnet/free-port.ts'
import { until } from '../../test/helpers/until.ts'
import { type Child, startChild } from './child.ts'
import type { Network } from './network.ts'
import { script } from './script.ts'

const HOST = '127.0.0.1'

export interface Server extends Pick<Child, 'usage' | 'stop'> {
  url: string
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
    RATE_LIMIT_MAX: '1000000'
  }
}

/**
 * Starts the server as it runs in production, with a new store in `directory`, and waits until it is healthy.
 * @param nodeArgs additional arguments of node, such as `--cpu-prof`
 */
export async function startServer(
  network: Network,
  { directory, nodeArgs }: { directory: string; nodeArgs: string[] }
): Promise<Server> {
  const port = await freePort(HOST)
  const child = startChild({
    args: [...nodeArgs, script('server')],
    env: { ...serviceEnv(network, directory), HOST, PORT: String(port) },
    cwd: directory,
    logPath: join(directory, 'server.log')
  })
  const url = `http://${HOST}:${port}`
  await until(() => isHealthy(url, child), 'the server is healthy')
  return { url, usage: child.usage, stop: child.stop }
}

async function isHealthy(url: string, child: Child): Promise<boolean> {
  if (child.ended) throw new Error('the server ended; see its log')
  const response = await fetch(`${url}/health`).catch(() => undefined)
  return (await response?.text()) === 'ok'
}
