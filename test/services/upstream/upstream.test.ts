import type { ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../services/schema-check.ts'
import { createUpstream, type UpstreamOptions } from '../../../services/upstream/index.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const Answer = checkFor(Type.Object({ feeId: Type.String() }))

type Answering = (request: SeenRequest, response: ServerResponse) => void

async function upstreamTo(t: Test, answer: Answering, options: Partial<UpstreamOptions> = {}) {
  const server = await serve(t, answer)
  const upstream = createUpstream({ name: 'fee service', baseUrl: server.url, ...options })
  t.teardown(() => upstream.close())
  return upstream
}

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

test('returns 502 for a faulty response, and says what is wrong with it', async t => {
  for (const [name, answer, message] of FAULTS) {
    const upstream = await upstreamTo(t, answer, { maxBodyBytes: 4096 })
    await t.rejects(upstream.get('/', Answer), { statusCode: 502, code: 'UPSTREAM_ERROR', message }, name)
  }
})

test('a rejection contains the upstream’s code and message', async t => {
  const upstream = await upstreamTo(t, (request, response) =>
    request.url === '/grpc'
      ? json(response, { code: 5, message: 'not found', details: [] }, 404)
      : json(response, { error: `amount\u001b\u202e\n low${'!'.repeat(1000)}` }, 400)
  )
  const notFound = await upstream.get('/grpc', Answer).catch(reason => reason)
  t.match(notFound, { statusCode: 502, httpStatus: 404, upstreamCode: 5, reason: 'not found' })
  const both = await upstreamTo(t, (_q, r) => json(r, { error: 'Bad Request', message: 'too low' }, 400))
  t.match(await both.get('/', Answer).catch(reason => reason), { reason: 'too low' })
  const error = await upstream.get('/other', Answer).catch(reason => reason)
  t.match(error, { httpStatus: 400, upstreamCode: undefined, reason: /^amount.* low!+$/s })
  t.equal(error.reason.length, 1013, 'whole')
  t.match(error.shortReason, /^amount {4}low!{287}$/, 'printable')
  t.notOk(error.message.includes('!'.repeat(300)), 'the message is shortened')
})
