import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import Fastify from 'fastify'

/**
 * A bare Fastify as a process: `bare-process.js FILE [log]` serves the answers in FILE, and reports its port to its
 * parent. With `log` it writes one line for each request, as a service must that wants to know what it did.
 */
const Answers = Type.Array(
  Type.Object({
    path: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String()
  })
)

const [file = '', log] = process.argv.slice(2)
const server = Fastify({ logger: log === 'log', disableRequestLogging: true })
if (log === 'log') {
  server.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    const { id, method, url, ip } = request
    server.log.info({ id, method, url, ip, statusCode, elapsedTime }, 'request')
  })
}
for (const { path, headers, body } of Value.Parse(Answers, JSON.parse(readFileSync(file, 'utf8')))) {
  server.get(path, async (_request, reply) => reply.headers(headers).send(body))
}
const url = await server.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ topic: 'listening', url })
process.once('SIGTERM', () => server.close())
