import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** One connection of a client, and the one to the database that belongs to it. They end together. */
export interface Relayed {
  client: Socket
  upstream: Socket
  end(): void
}

export interface Relay {
  /** The same database, through the relay. */
  url: string
  /** Those of all connections, to both sides. */
  sockets: ReadonlySet<Socket>
}

/**
 * Stands between a service and its database without TLS until the test ends.
 * @param onConnection passes on what either side sends
 * @param port the port of the database for the next connection; that of the URL when left out
 */
export async function startRelay(
  t: Pick<Test, 'teardown'>,
  databaseUrl: string,
  onConnection: (connection: Relayed) => void,
  port?: () => number
): Promise<Relay> {
  const target = new URL(databaseUrl)
  const { hostname, port: ownPort } = target
  const sockets = new Set<Socket>()

  const server = createServer(client => {
    const upstream = connect(port?.() ?? Number(ownPort), hostname)
    const both = [client, upstream]
    function end(): void {
      for (const socket of both) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.setNoDelay().on('error', end).on('close', end)
    }
    onConnection({ client, upstream, end })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new TypeError('not an internet address')
  target.port = String(address.port)
  return { url: target.href, sockets }
}
