import type { ListenOptions, RunningServer } from './http-server.ts'

type Start = (at: ListenOptions) => Promise<RunningServer>

/**
 * Starts the servers on consecutive ports from `port`, or on free ports if it is 0.
 * @throws the error of the first server that cannot listen; servers already started are closed first
 */
export async function startServers<Starters extends Record<string, Start>>(
  starters: Starters,
  { host, port }: ListenOptions
) {
  const running: RunningServer[] = []
  async function close(): Promise<void> {
    await Promise.all(running.map(server => server.close()))
  }

  const urls: Record<string, string> = {}
  try {
    for (const [offset, [name, start]] of Object.entries(starters).entries()) {
      const server = await start({ host, port: port === 0 ? 0 : port + offset })
      running.push(server)
      urls[name] = server.url
    }
  } catch (error) {
    await close()
    throw error
  }
  return { urls: urls as { [Name in keyof Starters]: string }, close }
}
