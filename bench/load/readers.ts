import { once } from 'node:events'
import { connect } from 'node:net'

/** What readers saw. */
export interface Reads {
  /** Complete answers. */
  answers: number
  /** Those of another status than 200. */
  failed: number
  seconds: number
  /** From the request to the last byte of its answer, in milliseconds; one of each answer. */
  latencies: number[]
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** The length of the answer that begins a buffer, once its head is complete. */
function answerLength(received: Buffer): number | undefined {
  const headLength = received.indexOf(END_OF_HEAD)
  if (headLength === -1) return undefined
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, headLength)) ?? []
  if (length === undefined) throw new Error('an answer without content-length')
  return headLength + END_OF_HEAD.length + Number(length)
}

/** Reads one URL again and again on one connection that is kept alive. */
async function read(url: URL, reads: Reads, isOver: () => boolean): Promise<void> {
  const request = `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  let expected: number | undefined
  let sentAt = 0

  function send(): void {
    sentAt = performance.now()
    socket.write(request)
  }

  socket.on('data', chunk => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    expected ??= answerLength(received)
    if (expected === undefined || received.length < expected) return
    reads.latencies.push(performance.now() - sentAt)
    reads.answers += 1
    if (received.toString('latin1', 9, 12) !== '200') reads.failed += 1
    received = received.subarray(expected)
    expected = undefined
    if (isOver()) socket.end()
    else send()
  })
  send()
  await once(socket, 'close')
}

/**
 * Reads one URL over many connections, each of which asks again as soon as it has its answer. This is leaner than an HTTP
 * client, so that the server is what is measured.
 */
export async function runReaders(url: string, options: { connections: number; ms: number }): Promise<Reads> {
  const reads: Reads = { answers: 0, failed: 0, seconds: 0, latencies: [] }
  const target = new URL(url)
  const start = performance.now()
  const isOver = () => performance.now() - start >= options.ms
  await Promise.all(Array.from({ length: options.connections }, () => read(target, reads, isOver)))
  reads.seconds = (performance.now() - start) / 1000
  return reads
}
