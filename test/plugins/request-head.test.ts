import { errorCatalogue } from '../../schemas/error-catalogue.ts'
import { build } from '../helpers/app.ts'
import { answersOf, sending } from '../helpers/raw-connection.ts'
import { test } from '../helpers/tap.ts'

const HOST = 'Host: service.example'
const JSON_BODY = 'Content-Type: application/json'

/** Formats a raw HTTP request whose connection closes after the response. */
const lines = (first: string, ...headers: string[]) =>
  `${[first, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`

const post = (...headers: string[]) => lines('POST /kyc HTTP/1.1', HOST, ...headers)

const withBody = (body: string | Buffer, ...headers: string[]) =>
  Buffer.concat([
    Buffer.from(post(...headers, `Content-Length: ${Buffer.byteLength(body)}`)),
    Buffer.from(body)
  ])

const UNSAFE = '{"constructor":{"prototype":{}}}'

/** Requests, each with its error code and, where two errors share a code, a pattern for the message. */
const REFUSED: Record<string, [request: string | Buffer, keyof typeof errorCatalogue, message?: RegExp]> = {
  'an unknown method': [lines('BREW / HTTP/1.1', HOST), 'BAD_REQUEST'],
  TLS: [Buffer.from('160301020001000100', 'hex'), 'BAD_REQUEST'],
  'two Content-Length headers': [`${post('Content-Length: 2', 'Content-Length: 3')}{}`, 'BAD_REQUEST'],
  'a URL that is too long': [lines(`GET /${'a'.repeat(20_000)} HTTP/1.1`, HOST), 'HEADERS_TOO_LARGE'],
  'an empty body': [post(JSON_BODY, 'Content-Length: 0'), 'INVALID_JSON'],
  'an unsafe property': [withBody(UNSAFE, JSON_BODY), 'INVALID_JSON', /property __proto__, or constructor/],
  'a body that is not UTF-8': [
    withBody(Buffer.from('{"uuid":"\xff"}', 'latin1'), JSON_BODY),
    'INVALID_JSON',
    /^The body is not UTF-8$/
  ],
  'a malformed escape in the path': [lines('GET /%zz HTTP/1.1', HOST), 'BAD_REQUEST'],
  'two encodings': [withBody('{}', JSON_BODY, 'Content-Encoding: identity, br'), 'UNSUPPORTED_MEDIA_TYPE'],
  'Latin-1': [withBody('{}', `${JSON_BODY}; charset=iso-8859-1`), 'UNSUPPORTED_MEDIA_TYPE'],
  'two charsets': [withBody('{}', `${JSON_BODY}; charset=utf-8; charset=latin1`), 'UNSUPPORTED_MEDIA_TYPE'],
  'the charset UTF-8, which is accepted': [withBody('{}', `${JSON_BODY}; charset="UTF-8"`), 'VALIDATION'],
  'the encoding identity, which is accepted': [
    withBody('{}', JSON_BODY, 'Content-Encoding: identity'),
    'VALIDATION'
  ]
}

test('malformed requests', async t => {
  const server = await build(t)
  const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
  for (const [what, [request, code, message = String]] of Object.entries(REFUSED)) {
    t.test(`${what}: ${code}`, async t => {
      const [answer] = await answersOf(sending(port, request))
      if (answer === undefined) throw new Error('the server sent nothing')
      const { status, headers, body } = answer
      const { statusCode } = errorCatalogue[code]
      t.equal(status, statusCode)
      const requestId = headers.get('x-request-id')
      t.match(JSON.parse(body), { statusCode, code, error: String, message, requestId })
      t.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      t.equal(headers.get('content-length'), String(Buffer.byteLength(body)))
      t.equal(headers.get('connection')?.toLowerCase(), 'close')
      t.equal(headers.get('cache-control'), 'no-store')
    })
  }
})
