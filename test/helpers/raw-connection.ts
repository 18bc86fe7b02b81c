import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setInterval } from 'node:timers/promises'

/** Connects to a local server and sends bytes. Ignores a connection reset. */
export function sending(port: number, bytes: string | Buffer, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
  if (bytes.length > 0) socket.write(bytes)
  return socket
}

/** Resolves when the connection is closed, or immediately if it already is. */
export function closed(socket: Socket): Promise<void> {
  return new Promise(resolve => (socket.closed ? resolve() : socket.once('close', () => resolve())))
}

/** Resolves with the first bytes that arrive. Rejects if the connection is closed before. */
export async function firstBytes(socket: Socket): Promise<string> {
  const bytes = await Promise.race([once(socket, 'data'), closed(socket)])
  if (bytes === undefined) throw new Error('the connection was closed without a response')
  return String(bytes[0])
}

/** Sends one byte per interval until the connection is closed. */
export async function trickle(socket: Socket, everyMs: number): Promise<void> {
  const ended = closed(socket)
  for await (const _ of setInterval(everyMs)) {
    if (socket.destroyed) break
    socket.write('x')
  }
  await ended
}

/** Reads until the connection is closed or reset: a server that closes with unread data resets it. */
async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  await closed(socket)
  return Buffer.concat(chunks).toString()
}

/** Reads all responses until the server closes the connection. Each response must have a content-length or no body. */
export async function answersOf(socket: Socket) {
  let rest = await received(socket)
  const answers = []
  while (rest !== '') {
    const [, head = '', after = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(rest) ?? []
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? []
    if (status === undefined) throw new Error(`not an HTTP response: ${JSON.stringify(rest)}`)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const fields = [...head.matchAll(/^([^\s:]+): (.*)$/gm)]
    const headers = new Map(fields.map(([, name = '', value = '']) => [name.toLowerCase(), value.trimEnd()]))
    answers.push({ status: Number(status), head, headers, body: after.slice(0, length) })
    rest = after.slice(length)
  }
  return answers
}
