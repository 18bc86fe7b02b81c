import Fastify from 'fastify'

/** A Fastify without plugins that answers `/health` on PORT, as a process. */
const server = Fastify()
server.get('/health', async () => 'ok')
await server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.once('SIGTERM', () => server.close())
