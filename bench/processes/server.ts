import { join } from 'node:path'
import { freePort } from '../../devnet/free-port.ts'
import { startArguments } from '../../test/helpers/start-arguments.ts'
import { until } from '../../test/helpers/until.ts'
import { type Child, startChild } from './child.ts'
import type { Network } from './network.ts'
import { script } from './script.ts'

export const HOST = '127.0.0.1'

/** A process that serves HTTP. */
export interface Serving extends Pick<Child, 'usage' | 'stop' | 'exited'> {
  url: string
}

export interface Server extends Serving, Pick<Child, 'kill' | 'pid'> {
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
    // All requests come from one address, which has a share of the connections unless it is a proxy (interface 21.6).
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_MAX: '1000000',
    RATE_LIMIT_WINDOW: '1000'
  }
}

interface ServerOptions {
  directory: string
  /** Additional arguments of node, such as `--cpu-prof`. */
  nodeArgs: string[]
  /** Variables beside those of the network. */
  env?: Record<string, string>
}

/** Starts the built server as it runs in production, with a store in `directory`, and does not wait for it. */
export async function launchServer(
  network: Network,
  { directory, nodeArgs, env = {} }: ServerOptions
): Promise<Server> {
  const port = await freePort(HOST)
  const logPath = join(directory, 'server.log')
  const { pid, usage, stop, kill, exited } = startChild({
    args: [...nodeArgs, ...startArguments, script('dist/server')],
    env: { ...serviceEnv(network, directory), ...env, HOST, PORT: String(port) },
    cwd: directory,
    logPath
  })
  return { url: `http://${HOST}:${port}`, logPath, pid, usage, stop, kill, exited }
}

/** Starts the built server, and waits until it is healthy. */
export async function startServer(network: Network, options: ServerOptions): Promise<Server> {
  const server = await launchServer(network, options)
  await untilHealthy(server)
  return server
}

/** Waits for the first answer of `/health`. @throws Error when the process ends before it */
export async function untilHealthy({ url, exited }: Serving): Promise<void> {
  let hasEnded = false
  exited.then(() => {
    hasEnded = true
  })
  await until(async () => {
    if (hasEnded) throw new Error('the server ended; see its log')
    const response = await fetch(`${url}/health`).catch(() => undefined)
    return (await response?.text()) === 'ok'
  }, 'the server is healthy')
}
