import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Test } from 'tap'

/** Outcome of an upstream call: the right response, or an error with this code. */
export type End = 'right' | 'UPSTREAM_ERROR' | 'UPSTREAM_TIMEOUT'

interface Hostility {
  ends: End[]
  /** @param right the right body @param elsewhere the URL of a server that must not be asked */
  answer(socket: Socket, right: string, elsewhere: string): void
  /** Whether the connection is closed some time after a complete response. */
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

/** Prepends a field to the first object in the right body. */
const withField = (right: string, field: string) =>
  right.startsWith('{') ? `{${field},${right.slice(1)}` : right.replace('{', `{${field},`)

const only = (end: End, answer: Hostility['answer']): Hostility => ({ ends: [end], answer })
const failing = (answer: Hostility['answer']) => only('UPSTREAM_ERROR', answer)
const body = (text: string | Buffer, fields = '') => failing(socket => void socket.write(whole(text, fields)))

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** Ways in which an upstream may misbehave. */
export const HOSTILITIES: Record<string, Hostility> = {
  'never answers': only('UPSTREAM_TIMEOUT', () => {}),
  'stalls after its headers': only('UPSTREAM_TIMEOUT', socket => {
    socket.write(head('content-length: 99\r\n\r\n'))
  }),
  'stalls within its headers': only('UPSTREAM_TIMEOUT', socket => void socket.write(head())),
  'trickles its body': only('UPSTREAM_TIMEOUT', socket => {
    socket.write(head('content-length: 100000\r\n\r\n'))
    repeat(socket, ' ', 50)
  }),
  'never ends its body': failing(socket => {
    socket.write(head('transfer-encoding: chunked\r\n\r\n'))
    repeat(socket, `10000\r\n${' '.repeat(65536)}\r\n`, 1)
  }),
  'promises ten gigabytes': {
    ends: ['UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT'],
    answer: socket => void socket.write(`${head('content-length: 10000000000\r\n\r\n')}{`)
  },
  'promises more than it sends, and ends': failing((socket, right) => {
    socket.end(`${head(`content-length: ${right.length + 9}\r\n\r\n`)}${right}`)
  }),
  'promises less than it sends': failing((socket, right) => {
    socket.write(`${head(`content-length: ${right.length - 9}\r\n\r\n`)}${right}`)
  }),
  'promises two lengths': failing((socket, right) => {
    socket.write(`${head(`content-length: 2\r\ncontent-length: ${right.length}\r\n\r\n`)}${right}`)
  }),
  'sends a chunk of no size': failing(socket => {
    socket.write(`${head('transfer-encoding: chunked\r\n\r\n')}zz\r\n{}\r\n0\r\n\r\n`)
  }),
  'sends a gzip bomb': body(gzipSync(Buffer.alloc(50_000_000)), 'content-encoding: gzip\r\n'),
  'sends what is no gzip': body('\u001f\u008bno', 'content-encoding: gzip\r\n'),
  'sends JSON as a picture': only('right', (socket, right) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: ${right.length}\r\n\r\n${right}`
    )
  }),
  'sends HTML': body('<html><body>welcome</body></html>'),
  'sends nothing': body(''),
  'sends half a JSON': failing((socket, right) => void socket.write(whole(right.slice(0, right.length / 2)))),
  'sends 100,000 arrays in each other': body(deep(100_000)),
  'sends 100,000 objects in each other': body(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  'hides 10,000 arrays in a field': failing((socket, right) => {
    socket.write(whole(withField(right, `"note":${deep(10_000)}`)))
  }),
  'sends a number without an end': body('9'.repeat(500_000)),
  'sends names of prototypes': only('right', (socket, right) => {
    socket.write(
      whole(withField(right, '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'))
    )
  }),
  'redirects to another server': failing((socket, _right, elsewhere) => {
    socket.write(whole('', `location: ${elsewhere}/latest/meta-data\r\n`, '302 Found'))
  }),
  'redirects with the body to another server': failing((socket, _right, elsewhere) => {
    socket.write(whole('', `location: ${elsewhere}\r\n`, '307 Temporary Redirect'))
  }),
  'floods with interim answers': {
    ends: ['UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT'],
    answer: socket => repeat(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(500), 1)
  },
  'switches the protocol': failing(socket => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n')
  }),
  'floods with headers': failing(socket => {
    socket.write(head(Array.from({ length: 10_000 }, (_, number) => `x-${number}: ${number}\r\n`).join('')))
  }),
  'floods with cookies': failing(socket => void socket.write(head('set-cookie: a=b\r\n'.repeat(10_000)))),
  'sends a header without an end': failing(socket => {
    socket.write(head('x-long: '))
    repeat(socket, 'x'.repeat(65536), 1)
  }),
  'closes at once': failing(socket => void socket.end()),
  'resets at once': failing(socket => void socket.resetAndDestroy()),
  'resets within its headers': failing(socket => {
    socket.write(head(), () => socket.resetAndDestroy())
  }),
  'resets within its body': failing((socket, right) => {
    socket.write(whole(right).subarray(0, -5), () => socket.resetAndDestroy())
  }),
  'resets after its answer': {
    ends: ['right'],
    answer: (socket, right) => {
      socket.write(whole(right), () => setTimeout(() => socket.resetAndDestroy(), 100))
    },
    closesLater: true
  },
  'speaks TLS': failing(socket => void socket.end(Buffer.from([21, 3, 1, 0, 2, 2, 80]))),
  'speaks another version': failing((socket, right) => {
    socket.write(whole(right).toString().replace('HTTP/1.1', 'HTTP/9.9'))
  }),
  'sends the right answer with status 500': failing((socket, right) => {
    socket.write(whole(right, '', '500 Internal Server Error'))
  }),
  'sends the right answer with status 404': failing((socket, right) => {
    socket.write(whole(right, '', '404 Not Found'))
  }),
  'sends status 204': failing(socket => void socket.write('HTTP/1.1 204 No Content\r\n\r\n')),
  'sends a text': body('"text"'),
  'sends a number': body('7'),
  'sends lists for objects': body('[[]]'),
  'sends NUL bytes': body('\u0000\u0000'),
  'sends bytes that are no text': body(Buffer.from([0xff, 0xfe, 0xfd])),
  'hides half of a surrogate pair in a field': failing((socket, right) => {
    socket.write(whole(withField(right, '"note":"\\ud800"')))
  }),
  'sends a second answer that nobody asked for': only('right', (socket, right) => {
    socket.write(Buffer.concat([whole(right), whole('"a lie"')]))
  }),
  'is slow': only('right', (socket, right) => {
    setTimeout(() => socket.write(whole(right)), 1000)
  })
}

export interface HostileServer {
  url: string
  /** Makes the server respond correctly. Resolves when the client can have noticed the closed connections. */
  heal(): Promise<void>
}

/** Starts an upstream with hostile responses on a free port. It is closed when the test ends. */
export async function hostileServer(
  t: Test,
  hostility: Hostility,
  right: string,
  elsewhere: string
): Promise<HostileServer> {
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
      if (isWell) socket.write(whole(right))
      else hostility.answer(socket, right, elsewhere)
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
    async heal() {
      isWell = true
      if (hostility.closesLater) await Promise.all([...sockets].map(socket => once(socket, 'close')))
      await nextTurn()
    }
  }
}
