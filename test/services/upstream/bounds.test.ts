import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
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

test('a call times out if the host accepts no connections', async t => {
  const upstream = upstreamAt(t, await deafServer(t), 300)
  await t.rejects(upstream.get('/', Answer), { code: 'UPSTREAM_TIMEOUT' })
})

/** Starts a process, stops it and fills its backlog. @returns its URL, which accepts no connections */
async function deafServer(t: Test): Promise<string> {
  const listen =
    "require('net').createServer().listen(0, '127.0.0.1', 1, function () { console.log(this.address().port) })"
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [port] = await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  for (let count = 0; count < 4; count += 1) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
  }
  return `http://127.0.0.1:${Number(port)}`
}
