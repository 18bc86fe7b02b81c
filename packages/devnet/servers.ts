import type { DevnetUrls } from './env.ts'
import type { ListenOptions, RunningServer } from './http-server.ts'

/** Functions that start the servers. */
export type ServerStarters = {
  [Name in keyof DevnetUrls]: (at: ListenOptions) => Promise<RunningServer>
}

/** The order of the ports (interface 20.4). */
const ORDER = ['rpc', 'rest', 'graphql', 'fees', 'compliance', 'kyc', 'laggingRpc'] as const

/**
 * Starts the servers on consecutive ports from `port`, or on free ports if it is 0.
 * @throws the error of the first server that cannot listen; servers already started are closed first
 */
export async function startServers(
  starters: ServerStarters,
  { host, port }: ListenOptions
): Promise<{ urls: DevnetUrls; close(): Promise<void> }> {
  const running: RunningServer[] = []
  async function close(): Promise<void> {
    await Promise.all(running.map(server => server.close()))
  }

  const urls: DevnetUrls = { rpc: '', rest: '', graphql: '', fees: '', compliance: '', kyc: '' }
  try {
    for (const [offset, name] of ORDER.entries()) {
      const start = starters[name]
      if (start === undefined) continue
      const server = await start({ host, port: port === 0 ? 0 : port + offset })
      running.push(server)
      urls[name] = server.url
    }
  } catch (error) {
    await close()
    throw error
  }
  return { urls, close }
}
