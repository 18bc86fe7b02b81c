import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { build } from '../../helpers/app.ts'
import { answersOf, closed, sending } from '../../helpers/raw-connection.ts'
import { type Test, test } from '../../helpers/tap.ts'

const host = 'host: service.example\r\n'
const health = `GET /health HTTP/1.1\r\n${host}\r\n`
const last = `GET /health HTTP/1.1\r\n${host}connection: close\r\n\r\n`

async function listen(t: Test): Promise<{ app: FastifyInstance; port: number; lines: string[] }> {
  const lines: string[] = []
  const app = await build(t, { LOG_LEVEL: 'warn' }, { logTo: line => lines.push(line) })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  return { app, port: Number(port), lines }
}

test('requests that do not wait for answers', async t => {
  const { port } = await listen(t)
  const upgrade = `GET /health HTTP/1.1\r\n${host}connection: upgrade\r\nupgrade: websocket\r\n\r\n`
  const post = `POST /kyc HTTP/1.1\r\n${host}content-type: application/json\r\n`
  const floods = {
    'requests without a body': health.repeat(2000),
    'bodies with a length': `${post}content-length: 2\r\n\r\n{}`.repeat(2000),
    'bodies in chunks': `${post}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`.repeat(2000),
    'requests to upgrade': health.repeat(17) + upgrade.repeat(2000),
    'bytes that are no request': `${health.repeat(17)}\0`
  }

  t.test('are answered in order', async t => {
    const answers = await answersOf(sending(port, health.repeat(15) + last))
    t.equal(answers.length, 16)
    for (const { status } of answers) t.equal(status, 200)
  })

  for (const [what, bytes] of Object.entries(floods)) {
    t.test(`keep no other connection from its answer: ${what}`, async t => {
      const flood = sending(port, bytes).resume()
      t.teardown(() => flood.destroy())
      const [answer] = await answersOf(sending(port, last))
      t.equal(answer?.status, 200, 'another connection')
    })
  }
})

test('connections beyond the limit are in the log once a minute', async t => {
  const { app, port, lines } = await listen(t)
  app.server.maxConnections = 1
  const first = sending(port, health)
  await once(first, 'data')
  await Promise.all([1, 2, 3].map(() => closed(sending(port, '').resume())))
  first.destroy()
  const warnings = lines.filter(line => line.includes('there are too many'))
  t.equal(warnings.length, 1)
})
