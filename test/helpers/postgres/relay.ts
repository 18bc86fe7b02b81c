import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A client connection and its connection to the database. They end together. */
export interface Relayed {
  client: Socket
  upstream: Socket
  end(): void
}

export interface Relay {
  /** The same database, through the relay. */
  url: string
  /** Sockets of all connections, on both sides. */
  sockets: ReadonlySet<Socket>
}

/**
 * Relays a service's connections to its database, without TLS, until the test ends.
 * @param onConnection forwards the data of both sides
 * @param port the database's port for the next connection; the URL's port when omitted
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
