import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Test } from 'tap'

/** Outcome of an upstream call: the right response, or an error code. */
type End = 'right' | 'UPSTREAM_ERROR' | 'UPSTREAM_TIMEOUT'

interface Hostility {
  end: End
  /**
   * @param elsewhere the URL of a server that must not be called
   * @returns bytes to send; undefined if the function has written to the socket itself
   */
  answer(right: string, elsewhere: string, socket: Socket): string | Buffer | undefined
  /** Whether the server closes the connection some time after a complete response. */
  closesLater?: true
}

const LONG_MS = 60_000

const head = (fields = '', status = '200 OK') =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${fields}`
const whole = (body: string | Buffer, fields = '', status = '200 OK') =>
  Buffer.concat([
    Buffer.from(head(`${fields}content-length: ${Buffer.byteLength(body)}\r\n\r\n`, status)),
    Buffer.from(body)
  ])

/** Writes a chunk repeatedly until the connection closes. */
function repeat(socket: Socket, piece: string | Buffer, pauseMs: number): void {
  const timer = setInterval(() => {
    if (!socket.writableNeedDrain) socket.write(piece)
  }, pauseMs)
  const end = setTimeout(() => socket.destroy(), LONG_MS)
  socket.on('close', () => {
    clearInterval(timer)
    clearTimeout(end)
  })
}

const withField = (right: string, field: string) => right.replace('{', `{${field},`)

const only = (end: End, answer: Hostility['answer']): Hostility => ({ end, answer })
const failing = (answer: Hostility['answer']) => only('UPSTREAM_ERROR', answer)
const body = (text: string | Buffer, fields = '') => failing(() => whole(text, fields))

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

export const HOSTILITIES: Record<string, Hostility> = {
  'stalls after its headers': only('UPSTREAM_TIMEOUT', () => head('content-length: 99\r\n\r\n')),
  'trickles its body': only('UPSTREAM_TIMEOUT', (_right, _elsewhere, socket) => {
    repeat(socket, ' ', 50)
    return head('content-length: 100000\r\n\r\n')
  }),
  'sends an endless body': failing((_right, _elsewhere, socket) => {
    repeat(socket, `10000\r\n${' '.repeat(65536)}\r\n`, 1)
    return head('transfer-encoding: chunked\r\n\r\n')
  }),
  'announces more bytes than it sends, then closes': failing((right, _elsewhere, socket) => {
    socket.end(`${head(`content-length: ${right.length + 9}\r\n\r\n`)}${right}`)
    return undefined
  }),
  'sends a gzip bomb': body(gzipSync(Buffer.alloc(50_000_000)), 'content-encoding: gzip\r\n'),
  'sends invalid gzip data': body('\u001f\u008bno', 'content-encoding: gzip\r\n'),
  'sends JSON as an image': only('right', right =>
    whole(right).toString().replace('application/json', 'image/png')
  ),
  'sends truncated JSON': failing(right => whole(right.slice(0, right.length / 2))),
  'sends 100,000 nested arrays': body(deep(100_000)),
  'hides 10,000 nested arrays in a field': failing(right =>
    whole(withField(right, `"note":${deep(10_000)}`))
  ),
  'sends prototype property names': only('right', right =>
    whole(withField(right, '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'))
  ),
  'redirects to another server, keeping the body': failing((_right, elsewhere) =>
    whole('', `location: ${elsewhere}\r\n`, '307 Temporary Redirect')
  ),
  'resets after its response': {
    end: 'right',
    answer: (right, _elsewhere, socket) => {
      socket.write(whole(right), () => setTimeout(() => socket.resetAndDestroy(), 100))
      return undefined
    },
    closesLater: true
  },
  'sends status 204': failing(() => 'HTTP/1.1 204 No Content\r\n\r\n'),
  'sends bytes that are not UTF-8': body(Buffer.from([0xff, 0xfe, 0xfd])),
  'sends a second response that was not requested': only('right', right =>
    Buffer.concat([whole(right), whole('"a lie"')])
  )
}

/** Starts an upstream with hostile responses on a free port. It closes when the test ends. */
export async function hostileServer(t: Test, hostility: Hostility, right: string, elsewhere: string) {
  const sockets = new Set<Socket>()
  let isWell = false
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let request = ''
    socket.on('data', data => {
      request += data.toString('latin1')
      const [fields, sent] = request.split('\r\n\r\n')
      if (sent === undefined) return
      const length = Number(/content-length: (\d+)/i.exec(fields ?? '')?.[1] ?? 0)
      if (sent.length < length) return
      request = ''
      const bytes = isWell ? whole(right) : hostility.answer(right, elsewhere, socket)
      if (bytes !== undefined) socket.write(bytes)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Makes the server respond correctly. Resolves once the client can have detected closed connections. */
    async heal() {
      isWell = true
      if (hostility.closesLater) await Promise.all([...sockets].map(socket => once(socket, 'close')))
      await nextTurn()
    }
  }
}
