import { join } from 'node:path'
import { startArguments } from '../../../test/helpers/start-arguments.ts'
import { until } from '../../../test/helpers/until.ts'
import { freePort } from '../../devnet/free-port.ts'
import type { Lab } from '../lab.ts'
import { type Child, script, startChild } from './child.ts'
import type { Network } from './network.ts'

const HOST = '127.0.0.1'

/** A process that serves HTTP, including `/health`. */
export interface Server extends Pick<Child, 'pid' | 'logPath' | 'usage' | 'stop'> {
  url: string
}

/** Starts a script that listens on the environment variable PORT, and waits for its first response to `/health`. */
export async function startServing(
  lab: Lab,
  args: string[],
  env: Record<string, string> = {}
): Promise<Server> {
  const port = await freePort(HOST)
  const child = startChild(lab, args, { ...env, NODE_ENV: 'production', HOST, PORT: String(port) })
  const url = `http://${HOST}:${port}`
  let failure: unknown
  child.failure.catch(error => {
    failure = error
  })
  await until(() => {
    if (failure !== undefined) throw failure
    return isOk(`${url}/health`)
  }, 'the server is healthy')
  return { url, pid: child.pid, logPath: child.logPath, usage: child.usage, stop: child.stop }
}

async function isOk(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined)
  await response?.text()
  return response?.ok ?? false
}

let stores = 0

/** Starts the built server as `npm start` does, with a new store, and waits for its first response. */
export function startService(
  lab: Lab,
  { env }: Network,
  change: Record<string, string> = {}
): Promise<Server> {
  // Without a compliance provider, because the benchmarks measure submissions to the chain.
  const { COMPLIANCE_URL: _, ...network } = env
  stores += 1
  return startServing(lab, [...startArguments, script('dist/server')], {
    ...network,
    LOG_LEVEL: 'info',
    SERVICE_DATA_DIR: join(lab.directory, `data-${stores}`),
    // All requests come from one address. The server limits the connections of an address unless the address belongs to
    // a trusted proxy.
    TRUST_PROXY: HOST,
    RATE_LIMIT_MAX: '100000000',
    // Higher than the total fees of any load.
    SERVICE_DAILY_FEE_LIMIT: '1000000000000000000',
    ...change
  })
}

/** Waits until a server has caught up with the chain. */
export async function untilReady({ url }: Server): Promise<void> {
  await until(() => isOk(`${url}/ready`), 'the server is ready')
}
