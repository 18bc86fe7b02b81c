import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ports that systems give to outgoing connections, and to listeners that name none. */
const [FIRST, END] = [20_000, 25_000]

/** This far above a port is another one. The process that listens there has been given the port, until it ends. */
const CLAIMS = 7000

/** From anywhere, so that processes seldom try the same. */
let next = randomInt(FIRST, END)

/**
 * A free port, for a process that must be given its port. It stays free while that process is stopped and starts again: no
 * other call gets it until this process ends.
 */
export async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = next
    next = port + 1 < END ? port + 1 : FIRST
    const claim = await listen('127.0.0.1', port + CLAIMS)
    if (claim === undefined) continue
    const probe = await listen(host, port)
    if (probe !== undefined) {
      await close(probe)
      claim.unref()
      return port
    }
    await close(claim)
  }
}

/** A server that listens on a port; undefined when another one does. */
async function listen(host: string, port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
