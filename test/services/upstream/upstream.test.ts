import type { ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../services/schema-check.ts'
import { createUpstream, type UpstreamOptions } from '../../../services/upstream/index.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

const Answer = checkFor(Type.Object({ feeId: Type.String() }))

type Answering = (request: SeenRequest, response: ServerResponse) => void

async function upstreamTo(t: Test, answer: Answering, options: Partial<UpstreamOptions> = {}) {
  const server = await serve(t, answer)
  const upstream = createUpstream({
    name: 'fee service',
    baseUrl: `${server.url.replace('//', '//user:word@')}/v1/`,
    ...options
  })
  t.teardown(() => upstream.close())
  return { server, upstream }
}

test('sends the URL’s credentials, and reports the upstream’s code and message', async t => {
  const { server, upstream } = await upstreamTo(t, (request, response) =>
    request.url === '/v1/grpc'
      ? json(response, { code: 5, message: 'not found', details: [] }, 404)
      : json(response, { message: '', error: `amount\u001b\u202e\n low${'!'.repeat(1000)}` }, 400)
  )
  const notFound = await upstream.get('/grpc', Answer).catch(reason => reason)
  t.match(notFound, { statusCode: 502, httpStatus: 404, upstreamCode: 5, reason: 'not found' })
  const authorization = `Basic ${Buffer.from('user:word').toString('base64')}`
  t.match(server.seen, [{ url: '/v1/grpc', headers: { authorization, accept: 'application/json' } }])
  const both = await upstreamTo(t, (_q, r) => json(r, { error: 'Bad Request', message: 'too low' }, 400))
  t.match(await both.upstream.get('/', Answer).catch(reason => reason), { reason: 'too low' })
  const error = await upstream.get('/other', Answer).catch(reason => reason)
  t.match(error, { httpStatus: 400, upstreamCode: undefined, reason: /^amount.* low!+$/s })
  t.equal(error.reason.length, 1013, 'whole')
  t.match(error.shortReason, /^amount {4}low!{287}…$/, 'printable')
  t.notOk(error.message.includes('!'.repeat(300)), 'the message is shortened')
})

/** Limits on running calls, and on running and waiting calls together. */
const CONNECTIONS = 64
const CALLS = 1024

test('a silent upstream gets 64 connections for 1,500 calls; 476 are rejected at once', async t => {
  const { server, upstream } = await upstreamTo(t, () => {}, { timeoutMs: 60_000 })
  const codes: string[] = []
  for (let count = 0; count < 1500; count += 1) {
    upstream.get('/', Answer).catch(error => codes.push(error.code))
  }
  await until(() => server.seen.length === CONNECTIONS, 'all connections are used')
  t.same(codes, Array(1500 - CALLS).fill('UPSTREAM_BUSY'))
  t.equal(server.connections(), CONNECTIONS)
})
