import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A response that a compared server sends to a path. */
export interface Answer {
  path: string
  headers: Record<string, string>
  body: string
  /** An upstream URL: each request posts its query there as JSON, and the response is the upstream's body. */
  from?: string
}

/** Runs Fastify without plugins, with one line in the log per request, as in production. */
async function fastify(answers: Answer[]): Promise<void> {
  const { default: Fastify } = await import('fastify')
  const server = Fastify({ logger: true, disableRequestLogging: true })
  server.addHook('onResponse', async ({ id, method, url, ip }, { statusCode, elapsedTime }) => {
    server.log.info({ id, method, url, ip, statusCode, elapsedTime }, 'request')
  })
  for (const { path, headers, body, from } of answers) {
    const { request } = from === undefined ? {} : await import('undici')
    const handler = async (query: unknown) => {
      // Each quote of a fee service has its own id.
      if (request === undefined || from === undefined)
        return body.replace(/(?<="feeId":")[^"]*/, () => randomUUID())
      const type = { 'content-type': 'application/json' }
      const response = await request(from, { method: 'POST', headers: type, body: JSON.stringify(query) })
      return response.body.text()
    }
    server.route({
      method: ['GET', 'POST'],
      url: path.replace(/\?.*/, ''),
      handler: async ({ query }, reply) => reply.headers(headers).send(await handler(query))
    })
  }
  await server.listen({ host: '127.0.0.1', port })
  process.once('SIGTERM', () => server.close())
}

/** Runs Express with its default options, and `res.json` if the response is JSON. */
async function express(answers: Answer[]): Promise<void> {
  const app = (await import('express')).default()
  for (const { path, headers, body } of answers) {
    const isJson = headers['content-type']?.startsWith('application/json')
    const value: unknown = isJson ? JSON.parse(body) : body
    app.get(path, (_request, response) => void response.set(headers)[isJson ? 'json' : 'send'](value))
  }
  app.listen(port, '127.0.0.1')
  process.once('SIGTERM', () => process.exit())
}

// `compared.js fastify|express FILE` serves the responses in FILE. Loads only what the server needs.
const [kind, file = ''] = process.argv.slice(2)
const port = Number(process.env['PORT'])
await (kind === 'express' ? express : fastify)(JSON.parse(readFileSync(file, 'utf8')))
