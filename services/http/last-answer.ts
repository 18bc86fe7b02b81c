import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorAnswer } from '../errors/answer.ts'

/** How long a client may go on sending when it has its last answer, in milliseconds. */
const LINGER_MS = 2000

/** Answers bytes that are not a request, and ends their connection. */
export function answerAndEnd(socket: Duplex, { statusCode, headers, body }: ErrorAnswer): void {
  const text = JSON.stringify(body)
  const head = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close'
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write(
    `${[`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...head].join('\r\n')}\r\n\r\n${text}`
  )
  endSoon(socket)
}

/**
 * Ends a connection whose client may still be sending. It is read for a while: to close a socket with unread bytes resets
 * the connection, and then the client may lose its answer.
 */
export function endSoon(socket: Duplex): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
