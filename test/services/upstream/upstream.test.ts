import type { ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../services/schema-check.ts'
import { createUpstream, type UpstreamOptions } from '../../../services/upstream/index.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const Answer = checkFor(Type.Object({ feeId: Type.String(), decimals: Type.Optional(Type.Integer()) }))

type Answering = (request: SeenRequest, response: ServerResponse) => void

async function upstreamTo(t: Test, answer: Answering, options: Partial<UpstreamOptions> = {}) {
  const server = await serve(t, answer)
  const upstream = createUpstream({ name: 'fee service', baseUrl: server.url, ...options })
  t.teardown(() => upstream.close())
  return { server, upstream }
}

test('sends and parses JSON', async t => {
  const { server, upstream } = await upstreamTo(t, (_request, response) =>
    json(response, { feeId: 'a', newer: 1 })
  )
  t.same(await upstream.get('/one', Answer), { feeId: 'a', newer: 1 }, 'unknown fields are kept')
  t.same(await upstream.post('/two', { amount: '1' }, Answer), { feeId: 'a', newer: 1 })
  t.match(server.seen, [
    { method: 'GET', url: '/one', body: '' },
    { method: 'POST', url: '/two', body: '{"amount":"1"}', headers: { 'content-type': 'application/json' } }
  ])
})

const FAULTS: [string, Answering, RegExp][] = [
  ['HTML', (_q, r) => r.end('<html>hello</html>'), /fee service: the response is not JSON/],
  [
    'a body with an unexpected shape',
    (_q, r) => json(r, { feeId: 7 }),
    /fee service: unexpected response at "\/feeId"/
  ],
  [
    '500',
    (_q, r) => json(r, { message: 'database down' }, 500),
    /fee service: HTTP status 500 \(database down\)/
  ],
  ['500 in HTML', (_q, r) => r.writeHead(500).end('<h1>oops</h1>'), /fee service: HTTP status 500/],
  ['a redirect', (_q, r) => r.writeHead(302, { location: '/' }).end(), /fee service: HTTP status 302/],
  ['a connection reset', (_q, r) => r.destroy(), /fee service: /],
  [
    'a connection reset during the response',
    (_q, r) => r.writeHead(200, { 'content-length': 99 }).write('{', () => r.destroy()),
    /fee service: /
  ],
  [
    'deeply nested arrays',
    (_q, r) => r.end(`{"feeId":"a","note":${'['.repeat(1000)}${']'.repeat(1000)}}`),
    /fee service: the response is nested too deeply/
  ],
  [
    'an unpaired surrogate',
    (_q, r) => r.end('{"feeId":"\\ud800"}'),
    /fee service: the response contains an unpaired surrogate/
  ],
  ['a body that is too large', (_q, r) => json(r, { feeId: 'x'.repeat(5000) }), /fee service: /]
]

for (const [name, answer, message] of FAULTS) {
  test(`returns 502 for an upstream that responds with ${name}`, async t => {
    const { upstream } = await upstreamTo(t, answer, { maxBodyBytes: 4096 })
    await t.rejects(upstream.get('/', Answer), { statusCode: 502, code: 'UPSTREAM_ERROR', message })
    await t.rejects(upstream.post('/', {}, Answer), { statusCode: 502, code: 'UPSTREAM_ERROR', message })
  })
}

test('returns 504 for an upstream that hangs', async t => {
  const before = await upstreamTo(t, () => {}, { timeoutMs: 50 })
  await t.rejects(before.upstream.get('/', Answer), {
    statusCode: 504,
    code: 'UPSTREAM_TIMEOUT',
    message: 'fee service: no response within 50 ms'
  })
  const within = await upstreamTo(t, (_q, r) => r.writeHead(200).write('{'), { timeoutMs: 50 })
  await t.rejects(within.upstream.get('/', Answer), { statusCode: 504, code: 'UPSTREAM_TIMEOUT' })
})

test('aborts a response that arrives byte by byte at the total timeout', async t => {
  const { upstream } = await upstreamTo(
    t,
    (_q, response) => {
      const bytes = [...`{"feeId":"${'a'.repeat(60)}"}`]
      response.writeHead(200)
      const drip = setInterval(() => {
        const byte = bytes.shift()
        if (byte === undefined) response.end()
        else response.write(byte)
      }, 50)
      response.on('close', () => clearInterval(drip))
    },
    { timeoutMs: 200 }
  )
  await t.rejects(upstream.get('/', Answer), {
    code: 'UPSTREAM_TIMEOUT',
    message: 'fee service: no response within 200 ms'
  })
})

test('a rejection contains the upstream’s code and message', async t => {
  const { upstream } = await upstreamTo(t, (request, response) =>
    request.url === '/grpc'
      ? json(response, { code: 5, message: 'not found', details: [] }, 404)
      : json(response, { error: `amount\u001b\u202e\n low${'!'.repeat(1000)}` }, 400)
  )
  const notFound = await upstream.get('/grpc', Answer).catch(reason => reason)
  t.match(notFound, { statusCode: 502, httpStatus: 404, upstreamCode: 5, reason: 'not found' })
  const both = await upstreamTo(t, (_q, r) => json(r, { error: 'Bad Request', message: 'too low' }, 400))
  t.match(await both.upstream.get('/', Answer).catch(reason => reason), { reason: 'too low' })
  const error = await upstream.get('/other', Answer).catch(reason => reason)
  t.match(error, { httpStatus: 400, upstreamCode: undefined, reason: /^amount.* low!+$/s })
  t.equal(error.reason.length, 1013, 'whole')
  t.match(error.shortReason, /^amount {4}low!{287}$/, 'printable')
  t.notOk(error.message.includes('!'.repeat(300)), 'the message is shortened')
})
