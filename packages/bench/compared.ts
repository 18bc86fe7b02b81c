import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Answer } from './load.ts'

/** A response that a server under comparison sends. */
export interface Sent extends Answer {
  /** A fee service: for each request, the server posts the query to it, stores the response durably, and sends it. */
  from?: string
}

/** Runs Fastify without plugins, with one line in the log per request, as in production. */
async function fastify(answers: Sent[]): Promise<void> {
  const { default: Fastify } = await import('fastify')
  const server = Fastify({ logger: true, disableRequestLogging: true })
  server.addHook('onResponse', async ({ id, method, url, ip }, { statusCode, elapsedTime }) => {
    server.log.info({ id, method, url, ip, statusCode, elapsedTime }, 'request')
  })
  for (const { path, headers, body, from } of answers) {
    const renewed = () => body.replace(/(?<="feeId":")[^"]*/, () => randomUUID())
    const bodyOf = from ? await quoting(from) : body.includes('"feeId"') ? renewed : () => body
    server.route({
      method: ['GET', 'POST'],
      url: path.replace(/\?.*/, ''),
      handler: async ({ query, ip }, reply) => reply.headers(headers).send(await bodyOf(query, ip))
    })
  }
  await server.listen({ host: '127.0.0.1', port })
  process.once('SIGTERM', () => server.close())
}

/** Checks nothing, and flushes the disk for each request. */
async function quoting(from: string) {
  const { request } = await import('undici')
  const { default: Database } = await import('libsql')
  const database = new Database(`${file}.db`)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec('CREATE TABLE quote (fee_id TEXT PRIMARY KEY, client TEXT, expires_at INTEGER, quote TEXT)')
  const insert = database.prepare('INSERT INTO quote VALUES (?, ?, ?, ?)')
  const headers = { 'content-type': 'application/json' }
  return async (query: unknown, client: string) => {
    const response = await request(from, { method: 'POST', headers, body: JSON.stringify(query) })
    const text = await response.body.text()
    const { feeId, expiration } = JSON.parse(text)
    insert.run(feeId, client, Number(expiration), text)
    return text
  }
}

/** Runs Express with its default options, among them an `etag` of its own, and `res.json` if the response is JSON. */
async function express(answers: Sent[]): Promise<void> {
  const app = (await import('express')).default()
  for (const { path, headers, body } of answers) {
    const { etag: _, ...others } = headers
    const isJson = headers['content-type']?.startsWith('application/json')
    const value: unknown = isJson ? JSON.parse(body) : body
    app.get(path, (_request, response) => void response.set(others)[isJson ? 'json' : 'send'](value))
  }
  app.listen(port, '127.0.0.1')
  process.once('SIGTERM', () => process.exit())
}

// `compared.js fastify|express FILE` serves the responses in FILE. Loads only what the server needs.
const [kind, file = ''] = process.argv.slice(2)
const port = Number(process.env['PORT'])
await (kind === 'express' ? express : fastify)(JSON.parse(readFileSync(file, 'utf8')))
