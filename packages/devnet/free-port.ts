import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** The ports to reserve, below the operating system's ephemeral range. */
const [FIRST, END] = [20_000, 25_000]

/** Offset from a port to its claim port. A process reserves a port by listening on the claim port until it exits. */
const CLAIMS = 7000

/** Starts at random, so that processes rarely try the same ports. */
let next = randomInt(FIRST, END)

/**
 * Reserves a free port for a child process. No other call returns it until this process exits, so the child process can
 * restart on it.
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

/** Listens on a port. @returns the server, or undefined if the port is not available */
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
