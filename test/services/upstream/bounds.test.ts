import type { ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../services/schema-check.ts'
import { createUpstream } from '../../../services/upstream/index.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

const Answer = checkFor(Type.Object({ ok: Type.Boolean() }))

/** Limits on running calls, and on running and waiting calls together (interface 19.15). */
const CONNECTIONS = 64
const CALLS = 1024

function upstreamAt(t: Test, baseUrl: string, timeoutMs: number) {
  const upstream = createUpstream({ name: 'fee service', baseUrl, timeoutMs })
  t.teardown(() => upstream.close())
  return upstream
}

test('opens 64 connections for 1,500 calls to a silent upstream, and rejects 476 calls immediately', async t => {
  const server = await serve(t, () => {})
  const upstream = upstreamAt(t, server.url, 60_000)
  const codes: string[] = []
  for (let count = 0; count < 1500; count += 1) {
    upstream.get('/', Answer).catch(error => codes.push(error.code))
  }
  await until(() => server.seen.length === CONNECTIONS, 'all connections are used')
  t.same(codes, Array(1500 - CALLS).fill('UPSTREAM_BUSY'))
  t.equal(server.connections(), CONNECTIONS)
})

test('running and waiting calls to a silent upstream time out, and later calls succeed once it responds', async t => {
  let silent = true
  const server = await serve(t, (_request, response) => silent || json(response, { ok: true }))
  const upstream = upstreamAt(t, server.url, 300)
  const late = { statusCode: 504, code: 'UPSTREAM_TIMEOUT' }
  await Promise.all(Array.from({ length: 300 }, () => t.rejects(upstream.get('/', Answer), late)))
  silent = false
  t.same(await until(() => upstream.get('/', Answer).catch(() => undefined), 'a call succeeds'), { ok: true })
})

test('waiting calls start in order as running calls finish', async t => {
  const held: ServerResponse[] = []
  const server = await serve(t, (_request, response) => held.push(response))
  const upstream = upstreamAt(t, server.url, 60_000)
  const calls = Array.from({ length: CONNECTIONS + 3 }, (_, index) => upstream.get(`/${index}`, Answer))
  await until(() => held.length === CONNECTIONS, 'all connections are used')
  for (let next = 0; next < calls.length; next += 1) {
    await until(() => held.length > next, 'the next call is made')
    const response = held[next]
    if (response) json(response, { ok: true })
  }
  await Promise.all(calls)
  t.same(
    server.seen.slice(CONNECTIONS).map(({ url }) => url),
    [`/${CONNECTIONS}`, `/${CONNECTIONS + 1}`, `/${CONNECTIONS + 2}`]
  )
  t.equal(server.connections(), CONNECTIONS)
})
