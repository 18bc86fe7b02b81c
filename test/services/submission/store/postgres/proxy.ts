import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** Starts a proxy without TLS between a replica and its database, for network faults. It closes when the test ends. */
export async function proxyFor(t: Pick<Test, 'teardown'>, databaseUrl: string) {
  const target = new URL(databaseUrl)
  let port = Number(target.port)
  let isSilent = false
  let broken: 'before' | 'after' | undefined
  let replaced: [text: string, other: string] = ['', '']
  let sent = 0
  const sockets = new Set<Socket>()

  const server = createServer(client => {
    const upstream = connect(port, target.hostname)
    let isLast = false
    function end(): void {
      for (const socket of [client, upstream]) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay().on('error', end).on('close', end)
      if (isSilent) socket.pause()
    }
    client.on('data', data => {
      sent += 1
      if (broken !== undefined && data.includes('COMMIT\0')) {
        const moment = broken
        broken = undefined
        if (moment === 'before') return end()
        isLast = true
      }
      upstream.write(data)
    })
    upstream.on('data', data => {
      const [text, other] = replaced
      if (isLast) end()
      else client.write(text ? Buffer.from(data.toString('latin1').replaceAll(text, other), 'latin1') : data)
    })
  })

  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port: own } = server.address() as AddressInfo
  return {
    /** URL of the database through the proxy. */
    url: Object.assign(new URL(target), { port: String(own) }).href,
    /** Returns how often a client has sent something, which is at least the number of its statements. */
    sent: () => sent,
    /** Stops or resumes forwarding on all connections. */
    silence(silent: boolean): void {
      isSilent = silent
      for (const socket of sockets) silent ? socket.pause() : socket.resume()
    },
    /**
     * Breaks the connection at the next commit: before the server receives the commit, or before the client receives
     * the response.
     */
    breakCommit(moment: 'before' | 'after'): void {
      broken = moment
    },
    /** Replaces a string in the server's output with a string of the same length. */
    rewrite(text: string, other: string): void {
      replaced = [text, other]
    },
    /** Closes all connections, and forwards new connections to another server. */
    moveTo(other: number): void {
      port = other
      for (const socket of sockets) socket.destroy()
    }
  }
}
