import type { Socket } from 'node:net'

const CHECK_MS = 1000

/** Checks without progress after which a connection is closed. */
const MAX_STALLED = 30

/** Checks after which a connection is closed even if its client reads some bytes now and then. */
const MAX_UNREAD = 120

interface Unread {
  checks: number
  stalled: number
  /** Bytes that the kernel has accepted. */
  accepted: number
}

/** Closes connections whose clients do not read their responses (interface 21.12). @param onClosed called for each */
export function createUnreadGuard(onClosed: () => void) {
  const sockets = new Map<Socket, Unread>()

  /** Counts checks, not time, so that an overloaded server does not mistake its own delay for the client's. */
  function check(): void {
    for (const [socket, { checks, stalled, accepted }] of sockets) {
      const now = acceptedOf(socket)
      const isUnread = socket.writableLength > 0
      const unread = {
        checks: isUnread ? checks + 1 : 0,
        stalled: isUnread && now === accepted ? stalled + 1 : 0,
        accepted: now
      }
      sockets.set(socket, unread)
      if (unread.stalled < MAX_STALLED && unread.checks < MAX_UNREAD) continue
      socket.destroy()
      onClosed()
    }
  }

  const checking = setInterval(check, CHECK_MS).unref()
  return {
    watch(socket: Socket): void {
      if (sockets.has(socket)) return
      sockets.set(socket, { checks: 0, stalled: 0, accepted: 0 })
      socket.once('close', () => sockets.delete(socket))
    },
    stop: () => clearInterval(checking)
  }
}

/**
 * Returns the number of bytes that the kernel has accepted. Node's public counters change only when a write, such as a
 * whole response, has been accepted completely.
 */
function acceptedOf(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = Object(Reflect.get(socket, '_handle'))
  return bytesWritten - writeQueueSize
}
