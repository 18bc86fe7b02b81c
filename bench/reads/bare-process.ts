import Fastify from 'fastify'
import { request } from 'undici'
import { readAnswers } from './answers.ts'

/**
 * A bare Fastify as a process: `bare-process.js FILE [log]` serves the answers in FILE, and reports its port to its
 * parent. With `log` it writes one line for each request, as a service must that wants to know what it did.
 */
const [file = '', log] = process.argv.slice(2)
const server = Fastify({ logger: log === 'log', disableRequestLogging: true })
if (log === 'log') {
  server.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    const { id, method, url, ip } = request
    server.log.info({ id, method, url, ip, statusCode, elapsedTime }, 'request')
  })
}
for (const { route, headers, body, from } of readAnswers(file)) {
  server.get(route, async ({ query }, reply) =>
    reply.headers(headers).send(from === undefined ? body : await ask(from, query))
  )
}

async function ask(url: string, query: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const { body } = await request(url, { method: 'POST', headers, body: JSON.stringify(query) })
  return body.text()
}

const url = await server.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ topic: 'listening', url })
process.once('SIGTERM', () => server.close())
