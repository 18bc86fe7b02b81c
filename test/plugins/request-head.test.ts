import { errorCatalogue } from '../../services/errors/catalogue.ts'
import { build } from '../helpers/app.ts'
import { answersOf, sending } from '../helpers/raw-connection.ts'
import { test } from '../helpers/tap.ts'

const HOST = 'Host: service.example'
const JSON_BODY = 'Content-Type: application/json'

/** Formats a raw HTTP request whose connection closes after the response. */
const lines = (first: string, ...headers: string[]) =>
  `${[first, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`

const post = (...headers: string[]) => lines('POST /kyc HTTP/1.1', HOST, ...headers)

async function send(port: number, request: string | Buffer) {
  const [answer] = await answersOf(sending(port, request))
  if (answer === undefined) throw new Error('the server sent nothing')
  return answer
}

test('malformed requests', async t => {
  const server = await build(t)
  const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)

  const REFUSED: [what: string, request: string | Buffer, code: keyof typeof errorCatalogue][] = [
    ['an unknown method', lines('BREW / HTTP/1.1', HOST), 'BAD_REQUEST'],
    ['TLS', Buffer.from('160301020001000100', 'hex'), 'BAD_REQUEST'],
    ['two Content-Length headers', `${post('Content-Length: 2', 'Content-Length: 3')}{}`, 'BAD_REQUEST'],
    ['a URL that is too long', lines(`GET /${'a'.repeat(20_000)} HTTP/1.1`, HOST), 'HEADERS_TOO_LARGE'],
    ['an empty body', post(JSON_BODY, 'Content-Length: 0'), 'INVALID_JSON'],
    ['a malformed escape in the path', lines('GET /%zz HTTP/1.1', HOST), 'BAD_REQUEST'],
    [
      'two content encodings',
      `${post(JSON_BODY, 'Content-Encoding: identity, br', 'Content-Length: 2')}{}`,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    [
      'Latin-1',
      `${post(`${JSON_BODY}; charset=iso-8859-1`, 'Content-Length: 2')}{}`,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    [
      'two charsets',
      `${post(`${JSON_BODY}; charset=utf-8; charset=latin1`, 'Content-Length: 2')}{}`,
      'UNSUPPORTED_MEDIA_TYPE'
    ]
  ]
  for (const [what, request, code] of REFUSED) {
    t.test(`${what}: ${code}`, async t => {
      const { status, headers, body } = await send(port, request)
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

  const ACCEPTED: [what: string, request: string][] = [
    ['the charset UTF-8', `${post(`${JSON_BODY}; charset="UTF-8"`, 'Content-Length: 2')}{}`],
    ['the encoding identity', `${post(JSON_BODY, 'Content-Encoding: identity', 'Content-Length: 2')}{}`]
  ]
  for (const [what, request] of ACCEPTED) {
    t.test(`${what} is accepted`, async t => {
      t.match(JSON.parse((await send(port, request)).body), { code: 'VALIDATION' })
    })
  }

  t.test('a body with an unsafe property is rejected, and the error names the property', async t => {
    const body = '{"constructor":{"prototype":{}}}'
    const response = await send(port, `${post(JSON_BODY, `Content-Length: ${body.length}`)}${body}`)
    t.match(JSON.parse(response.body), {
      code: 'INVALID_JSON',
      message: /property __proto__, or constructor/
    })
  })

  t.test('a body that is not UTF-8 is rejected', async t => {
    const content = Buffer.from('{"uuid":"\xff"}', 'latin1')
    const head = Buffer.from(post(JSON_BODY, `Content-Length: ${content.length}`))
    const { body } = await send(port, Buffer.concat([head, content]))
    t.match(JSON.parse(body), { statusCode: 400, code: 'INVALID_JSON', message: 'The body is not UTF-8' })
  })
})
