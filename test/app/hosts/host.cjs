// A program that embeds the built service next to what other programs have: plugins, decorators, parsers, a serializer,
// error handlers, hooks and routes of their own.

const { PassThrough } = require('node:stream')
const { setTimeout } = require('node:timers/promises')
const Fastify = require('fastify')
const fp = require('fastify-plugin')
const { pino } = require('pino')

const { PREFIX, ORDER } = process.env

module.exports = async ({ default: service, fastifyOptions, loadConfig }) => {
  const configuration = loadConfig(process.env)
  const host = Fastify({
    ...fastifyOptions(configuration),
    logger: false,
    loggerInstance: pino(),
    bodyLimit: 500,
    handlerTimeout: 5000,
    routerOptions: { maxParamLength: 20, caseSensitive: false },
    ajv: { customOptions: { removeAdditional: 'all', coerceTypes: 'array' } }
  })
  if (ORDER === 'before') host.register(everything)
  host.register(service, { configuration, prefix: PREFIX })
  if (ORDER === 'after') host.register(everything)
  await host.listen({ host: '127.0.0.1', port: 0 })
}

/** Written as a shared plugin, so that it affects the whole host. */
const everything = fp(async host => {
  await host.register(require('@fastify/swagger'), { openapi: { info: { title: 'Shop', version: '1' } } })
  await host.register(require('@fastify/swagger-ui'), { routePrefix: '/docs' })
  await host.register(require('@fastify/cors'), { origin: true })
  await host.register(require('@fastify/helmet'))
  await host.register(require('@fastify/rate-limit'), { max: 100_000 })
  await host.register(require('@fastify/under-pressure'))
  await host.register(require('@fastify/etag'))
  await host.register(require('@fastify/compress'), { threshold: 0 })
  await host.register(require('@fastify/multipart'), { attachFieldsToBody: true })
  await host.register(require('@fastify/response-validation'))

  const names = 'config metrics store status signer chains fees events networks countRequest'
  for (const name of names.split(' ')) host.decorate(name, `the host’s ${name}`)
  const ofRequests = 'client caller isForeign isCounted keyRefusal errorCode submissionId'
  for (const name of ofRequests.split(' ')) {
    host.decorateRequest(name, `the host’s ${name}`)
    host.decorateReply(name, `the host’s ${name}`)
  }
  host.addSchema({ $id: 'Error', type: 'object', properties: { host: { type: 'string' } } })

  for (const type of ['application/json', 'text/plain'])
    host.addContentTypeParser(type, { parseAs: 'string' }, async (_request, body) => ({ host: body }))
  host.addContentTypeParser('*', async () => ({ host: 'anything' }))
  host.addHook('onRequest', async ({ headers }) => {
    if (headers['x-blocked']) throw new Error('blocked by the host')
  })
  host.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(new PassThrough()))
  host.addHook('preHandler', async ({ headers }) => {
    await setTimeout(5)
    if (headers['x-forbidden']) throw new Error('forbidden by the host')
  })
  host.addHook('preSerialization', async (_request, _reply, payload) => ({ ...payload, isOfHost: true }))
  host.addHook('onSend', async (_request, reply, payload) => {
    reply.header('x-host', 'yes')
    return payload
  })
  host.setReplySerializer(payload => JSON.stringify({ serializedBy: 'the host', ...payload }))
  host.setValidatorCompiler(() => () => true)
  host.setSerializerCompiler(() => payload => JSON.stringify({ compiledBy: 'the host', ...payload }))
  host.setErrorHandler((error, _request, reply) => reply.code(418).send({ host: error.message }))
  host.setNotFoundHandler((_request, reply) => reply.code(404).send({ host: 'unknown' }))

  const response = { 200: { type: 'object', additionalProperties: true } }
  host.get('/shop', { schema: { response } }, async request => ({
    shop: request.client,
    chains: host.chains
  }))
  host.post('/shop', async ({ body }) => body)
})
