import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** More than browsers and proxies ever send without waiting (interface 21.11). */
const MOST_REQUESTS = 16

/** What Node's parser takes for a request to leave HTTP: it parses no more of what it has read. */
const LEAVE_HTTP = 2

/** Bounds how many requests of one connection are read in one turn of the event loop, which nothing can interrupt. */
export class Pipelining {
  readonly #inThisTurn = new Map<Socket, number>()

  /** @returns whether the connection was closed, because this request is one too many */
  isTooMuch({ socket }: IncomingMessage): boolean {
    const counts = this.#inThisTurn
    if (counts.size === 0) setImmediate(() => counts.clear())
    const count = (counts.get(socket) ?? 0) + 1
    counts.set(socket, count)
    if (count <= MOST_REQUESTS) return false
    closeAtOnce(socket)
    return true
  }
}

/**
 * Closes a connection, with what was read of it and is not parsed yet. `destroy` alone is not enough: Node parses thousands
 * of requests out of one read, and has no public way to stop. What is set here belongs to the connection, and Node resets it.
 */
function closeAtOnce(socket: Socket): void {
  if ('parser' in socket && typeof socket.parser === 'object' && socket.parser !== null) {
    Object.assign(socket.parser, { onIncoming: () => LEAVE_HTTP })
  }
  socket.destroy()
}
