import { once } from 'node:events'
import { connect } from 'node:net'

/** A response that a server must send to a path. */
export interface Answer {
  path: string
  headers: Record<string, string>
  body: string
  /** Matches the parts in which correct bodies may differ. */
  varying?: RegExp
}

/** Headers whose values may differ between correct responses. */
const VARYING = ['age', 'etag', 'x-request-id']

/** Returns a function that compares a response, its body in latin1, with the expected one. */
function judge({ headers, body, varying = /(?!)/g }: Answer): (head: string, body: string) => boolean {
  const fixed = (text: string) => text.replaceAll(varying, '')
  const content = fixed(Buffer.from(body).toString('latin1'))
  const lines = Object.entries(headers)
    .filter(([name]) => !VARYING.includes(name))
    .map(([name, value]) => `\r\n${name}: ${value}\r\n`.toLowerCase())
  return (head, received) =>
    head.startsWith('HTTP/1.1 200 ') &&
    lines.every(line => head.toLowerCase().includes(line)) &&
    fixed(received) === content
}

/**
 * Sends GET requests on several connections, one at a time on each, and compares the responses. Does less than a client
 * library, so that the server is the bottleneck.
 * @returns the number of requests without the expected response
 */
export async function load(
  url: string,
  answer: Answer,
  connections: number,
  amount: number
): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const request = `GET ${answer.path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`
  const isRight = judge(answer)
  let [left, right] = [amount, 0]

  async function lane(): Promise<void> {
    if (left === 0) return
    const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1')
    let received = ''
    function next(): void {
      received = ''
      if (left === 0) socket.end()
      else socket.write(request)
      left = Math.max(0, left - 1)
    }
    socket.on('connect', next).on('data', chunk => {
      received += chunk
      const begin = received.indexOf('\r\n\r\n') + 4
      const head = received.slice(0, begin - 2)
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
      if (begin < 4 || received.length < begin + length) return
      if (isRight(head, received.slice(begin))) right += 1
      // Servers close a connection after some requests.
      if (/\r\nconnection: close/i.test(head)) socket.end()
      else next()
    })
    await once(socket, 'close')
    return lane()
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return amount - right
}
