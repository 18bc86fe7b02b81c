import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { clientOf } from './rate-limit.ts'

/** The connections of a server: which wait for a request, which for an answer, and how many a client has. */
export class Connections {
  readonly #byClient = new Map<string, number>()
  readonly #unanswered = new Set<IncomingMessage>()
  /** Injected requests have sockets that are not of the server. */
  readonly #open = new Set<Socket>()
  /** Without a request since they were opened, or since their last answer. */
  readonly #unused = new Set<Socket>()
  /** Of these, those that were so at the last call of `closeUnused`. */
  #due = new Set<Socket>()

  /** @returns how many connections its client has, with this one; an IPv6 client is its /64 network */
  opened(socket: Socket): number {
    const client = clientOf(socket.remoteAddress ?? '')
    const count = (this.#byClient.get(client) ?? 0) + 1
    this.#byClient.set(client, count)
    this.#open.add(socket)
    this.#unused.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.inUse(socket)
      const left = (this.#byClient.get(client) ?? 1) - 1
      if (left === 0) this.#byClient.delete(client)
      else this.#byClient.set(client, left)
    })
    return count
  }

  /** A request has come, or the connection is closed. */
  inUse(socket: Socket): void {
    this.#unused.delete(socket)
    this.#due.delete(socket)
  }

  /** A request needs an answer. */
  requested(request: IncomingMessage): void {
    this.#unanswered.add(request)
  }

  /** The answer to a request is being sent. */
  answered(request: IncomingMessage): void {
    this.#unanswered.delete(request)
    if (this.#open.has(request.socket)) this.#unused.add(request.socket)
  }

  /** The requests of a connection that have no answer yet. */
  unansweredOn(socket: Duplex): IncomingMessage[] {
    return Array.from(this.#unanswered).filter(request => request.socket === socket)
  }

  /** The requests whose bodies have not arrived completely. */
  incomplete(): IncomingMessage[] {
    return Array.from(this.#unanswered).filter(({ complete }) => !complete)
  }

  /** Closes the connections that were unused at the last call and since. */
  closeUnused(): void {
    for (const { socket } of this.#unanswered) this.inUse(socket)
    for (const socket of this.#due) socket.destroy()
    this.#due = new Set(this.#unused)
  }
}

/** How many files and sockets this process may have open; infinite on a system that does not say it in /proc. */
export function mostDescriptors(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
