import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import type { Answer } from './answer.ts'

/**
 * Runs Fastify without plugins: `bare-process.js FILE [log]` serves the responses in FILE. With `log`, writes one line
 * per request, like a production service.
 */
const [file = '', log] = process.argv.slice(2)
const answers: Answer[] = JSON.parse(readFileSync(file, 'utf8'))
const server = Fastify({ logger: log === 'log', disableRequestLogging: true })
if (log === 'log') {
  server.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    const { id, method, url, ip } = request
    server.log.info({ id, method, url, ip, statusCode, elapsedTime }, 'request')
  })
}
for (const { path, headers, body, from } of answers) {
  // Load the HTTP client only if a response comes from an upstream, because loading it slows down startup.
  const { request } = from === undefined ? {} : await import('undici')
  server.route({
    method: ['GET', 'POST'],
    url: path.replace(/\?.*/, ''),
    async handler({ query }, reply) {
      reply.headers(headers)
      if (request === undefined || from === undefined) return body
      const type = { 'content-type': 'application/json' }
      return (await request(from, { method: 'POST', headers: type, body: JSON.stringify(query) })).body.text()
    }
  })
}
await server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.once('SIGTERM', () => server.close())
