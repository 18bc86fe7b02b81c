import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { errorCatalogue } from '../../services/errors/catalogue.ts'
import { sendBytes } from '../fuzz/raw-client.ts'
import { build } from '../helpers/app.ts'
import { answersOf, sending } from '../helpers/raw-connection.ts'
import { test } from '../helpers/tap.ts'

const HOST = 'Host: service.example'
const JSON_BODY = 'Content-Type: application/json'

/** A request as it goes over the wire; its connection ends with the answer. */
const lines = (first: string, ...headers: string[]) =>
  `${[first, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`

const post = (...headers: string[]) => lines('POST /kyc HTTP/1.1', HOST, ...headers)

test('requests that are refused by their bytes', async t => {
  const server = await build(t)
  const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)

  const REFUSED: [what: string, request: string | Buffer, code: keyof typeof errorCatalogue][] = [
    ['an unknown method', lines('BREW / HTTP/1.1', HOST), 'BAD_REQUEST'],
    ['an unknown version', lines('GET / HTTP/9.9', HOST), 'BAD_REQUEST'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'BAD_REQUEST'],
    ['TLS', Buffer.from('160301020001000100', 'hex'), 'BAD_REQUEST'],
    ['the PROXY protocol', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n', 'BAD_REQUEST'],
    ['lines without a carriage return', `GET /health HTTP/1.1\n${HOST}\n\n`, 'BAD_REQUEST'],
    ['a header over two lines', lines('GET /health HTTP/1.1', HOST, 'A: b', ' c'), 'BAD_REQUEST'],
    ['a header with a NUL', lines('GET /health HTTP/1.1', HOST, 'A: b\0'), 'BAD_REQUEST'],
    ['a header with a blank in its name', lines('GET /health HTTP/1.1', HOST, 'A b: c'), 'BAD_REQUEST'],
    ['a malformed length', post('Content-Length: x'), 'BAD_REQUEST'],
    ['two lengths', `${post('Content-Length: 2', 'Content-Length: 3')}{}`, 'BAD_REQUEST'],
    [
      'a length and chunks',
      `${post('Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      'BAD_REQUEST'
    ],
    ['a malformed chunk', `${post(JSON_BODY, 'Transfer-Encoding: chunked')}zz\r\n`, 'BAD_REQUEST'],
    ['a URL without a slash', lines('GET health HTTP/1.1', HOST), 'BAD_REQUEST'],
    ['a URL that is too long', lines(`GET /${'a'.repeat(20_000)} HTTP/1.1`, HOST), 'HEADERS_TOO_LARGE'],
    ['a malformed escape in the path', lines('GET /%zz HTTP/1.1', HOST), 'BAD_REQUEST'],
    ['an escape in the path that is not UTF-8', lines('GET /tx/%ff/status HTTP/1.1', HOST), 'BAD_REQUEST'],
    [
      'a compressed body',
      `${post(JSON_BODY, 'Content-Encoding: gzip', 'Content-Length: 2')}{}`,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    [
      'an encoding twice',
      `${post(JSON_BODY, 'Content-Encoding: identity, br', 'Content-Length: 2')}{}`,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    [
      'Latin-1',
      `${post(`${JSON_BODY}; charset=iso-8859-1`, 'Content-Length: 2')}{}`,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    ['UTF-16', `${post(`${JSON_BODY};charset="utf-16"`, 'Content-Length: 2')}{}`, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'two charsets',
      `${post(`${JSON_BODY}; charset=utf-8; charset=latin1`, 'Content-Length: 2')}{}`,
      'UNSUPPORTED_MEDIA_TYPE'
    ]
  ]
  for (const [what, request, code] of REFUSED) {
    t.test(`${what}: ${code}`, async t => {
      const { status, headers, body } = await sendBytes(port, request)
      const { statusCode } = errorCatalogue[code]
      const error = JSON.parse(body)
      t.equal(status, statusCode)
      t.match(error, {
        statusCode,
        code,
        error: String,
        message: String,
        requestId: headers.get('x-request-id')
      })
      t.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      t.equal(headers.get('content-length'), String(Buffer.byteLength(body)))
      t.equal(headers.get('connection')?.toLowerCase(), 'close')
      t.equal(headers.get('cache-control'), 'no-store')
    })
  }

  // In forms of Node's own.
  const LEFT_TO_NODE: [what: string, request: string, answer: RegExp][] = [
    ['no Host', lines('GET /health HTTP/1.1'), /^HTTP\/1\.1 400 /],
    ['an unknown expectation', post('Expect: tea', 'Content-Length: 9'), /^HTTP\/1\.1 417 /],
    ['CONNECT', lines('CONNECT a.example:443 HTTP/1.1', HOST), /^$/]
  ]
  for (const [what, request, answer] of LEFT_TO_NODE) {
    t.test(`${what} reaches no route`, async t => {
      t.match(await text(sending(port, request)), answer)
    })
  }

  const ACCEPTED: [what: string, request: string, status: number][] = [
    ['HTTP/1.0 without Host', lines('GET /health HTTP/1.0'), 200],
    ['a Host with a port', lines('GET /health HTTP/1.1', 'Host: a.example:3001'), 200],
    ['a Host that is an IPv6 address', lines('GET /health HTTP/1.1', 'Host: [::1]:3001'), 200],
    ['a charset that is UTF-8', `${post(`${JSON_BODY}; charset="UTF-8"`, 'Content-Length: 2')}{}`, 400],
    [
      'an encoding that is none',
      `${post(JSON_BODY, 'Content-Encoding: identity', 'Content-Length: 2')}{}`,
      400
    ],
    ['escapes in the query', lines('GET /health?a=%C3%A4%20+%25 HTTP/1.1', HOST), 200]
  ]
  for (const [what, request, status] of ACCEPTED) {
    t.test(`${what} is accepted`, async t => {
      const answer = await sendBytes(port, request)
      t.equal(answer.status, status)
      if (status === 400) t.match(JSON.parse(answer.body), { code: 'VALIDATION' })
    })
  }

  t.test('100-continue is met', async t => {
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.write(post(JSON_BODY, 'Expect: 100-continue', 'Content-Length: 2'))
    const [interim] = await once(socket, 'data')
    t.match(String(interim), /^HTTP\/1\.1 100 Continue\r\n\r\n/)
    socket.write('{}')
    const [answer] = await once(socket, 'data')
    t.match(String(answer), /^HTTP\/1\.1 400 Bad Request\r\n/)
  })

  t.test('the body of a GET is not taken for a request', async t => {
    const next = `GET /nowhere HTTP/1.1\r\n${HOST}\r\n\r\n`
    const request = `GET /health HTTP/1.1\r\n${HOST}\r\nContent-Length: ${next.length}\r\n\r\n${next}`
    const [first, second, ...more] = await answersOf(
      sending(port, request + lines('GET /health HTTP/1.1', HOST))
    )
    t.same([first?.body, second?.body, more], ['ok', 'ok', []])
  })

  t.test('a body that is not UTF-8 is refused, and no character replaced', async t => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
      const content = Buffer.concat([Buffer.from('{"uuid":"'), Buffer.from(bytes), Buffer.from('"}')])
      const { status, body } = await sendBytes(
        port,
        post(JSON_BODY, `Content-Length: ${content.length}`),
        content
      )
      t.equal(status, 400)
      t.match(JSON.parse(body), { code: 'INVALID_JSON', message: 'The body is not UTF-8' })
    }
  })
})
