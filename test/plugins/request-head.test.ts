import { build } from '../helpers/app.ts'
import { caller } from '../helpers/callers.ts'
import { answersOf, sending } from '../helpers/raw-connection.ts'
import { test } from '../helpers/tap.ts'
import { submitBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

const HOST = 'Host: service.example'
const CLOSED = 'invalid or late HTTP requests, connections closed'
const JSON_BODY = 'Content-Type: application/json'

/** Formats a raw HTTP request whose connection closes after the response. */
const lines = (first: string, ...headers: string[]) =>
  `${[first, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`

const withBody = (body: string) =>
  `${lines('POST /kyc HTTP/1.1', HOST, JSON_BODY, `Content-Length: ${Buffer.byteLength(body)}`)}${body}`

/** The requests without it are valid. */
const twice = (header: string) => `${header}\r\n${header}`
const twoTypes = withBody('{}').replace(JSON_BODY, twice(JSON_BODY))

const uuid = (...headers: string[]) => lines('GET /uuid HTTP/1.1', HOST, ...headers)
const UNLISTED = 'Origin: https://evil.example'

/** Requests, each with its status and, if the service rather than Node rejects it, its code. */
const REFUSED: [what: string, request: string | Buffer, status: number, code?: string][] = [
  ['an unknown method', lines('BREW / HTTP/1.1', HOST), 400],
  ['TLS', Buffer.from('160301020001000100', 'hex'), 400],
  ['a URL that is too long', lines(`GET /${'a'.repeat(20_000)} HTTP/1.1`, HOST), 431],
  ['a malformed escape in the path', lines('GET /%zz?a HTTP/1.1', HOST), 400, 'BAD_REQUEST'],
  ['a malformed escape in a parameter', lines('GET /tx/%ff/status HTTP/1.1', HOST), 400, 'BAD_REQUEST'],
  ['an absolute URL without a host', lines('GET http:// HTTP/1.1', HOST), 400, 'BAD_REQUEST'],
  ['an empty body', withBody(''), 400, 'INVALID_JSON'],
  ['an unsafe property', withBody('{"constructor":{"prototype":{}}}'), 400, 'INVALID_JSON'],
  ['another charset', withBody('{}').replace('json', 'json; charset="UTF-8"'), 400, 'VALIDATION'],
  ['an unlisted origin after many headers', uuid(...Array(2000).fill('a:'), UNLISTED), 403, 'ORIGIN_BLOCKED'],
  ['an unlisted origin with an unknown expectation', uuid('Expect: more', UNLISTED), 403, 'ORIGIN_BLOCKED'],
  ['an invalid body for an unknown route', withBody('{').replace('/kyc', '/x'), 404, 'ROUTE_NOT_FOUND'],
  ['a repeated origin', uuid(twice('Origin: https://shop.example')), 403, 'ORIGIN_BLOCKED'],
  ['a repeated content type', twoTypes, 415, 'UNSUPPORTED_MEDIA_TYPE']
]

test('malformed requests get a 4xx, and the connection closes', async t => {
  const { variables, headers } = caller(t)
  const log: string[] = []
  const env = { ...variables, SERVICE_ACCESS: 'both', LOG_LEVEL: 'info' }
  const server = await build(t, env, { logTo: line => log.push(line) })
  const key = uuid(twice(`Authorization: ${headers.authorization}`))
  const idempotencyKey = withBody(submitBody('a-quote'))
    .replace('/kyc', '/submit')
    .replace(JSON_BODY, `${JSON_BODY}\r\n${twice('Idempotency-Key: a')}`)
  const requests: typeof REFUSED = [
    ...REFUSED,
    ['a repeated key', key, 401, 'KEY_INVALID'],
    ['a repeated idempotency key', idempotencyKey, 400, 'VALIDATION']
  ]
  const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
  for (const [what, request, status, code] of requests) {
    const [answer] = await answersOf(sending(port, request))
    t.equal(answer?.status, status, what)
    t.equal(JSON.parse(answer?.body ?? '').code, code, what)
  }
  for (const path of ['/%zz', '/tx/%ff/status', 'http://']) {
    const line = await until(() => log.find(text => text.includes(`"path":"${path}"`)), `${path} is logged`)
    t.match(JSON.parse(line), { msg: 'request completed', res: { statusCode: 400 }, code: 'BAD_REQUEST' })
  }
  const closed = log.map(line => JSON.parse(line)).filter(({ msg }) => msg === CLOSED)
  t.match(closed, [{ connections: 1, code: 'HPE_INVALID_METHOD' }], 'one line a minute for invalid HTTP')
})
