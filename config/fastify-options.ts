import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import AjvCompiler from '@fastify/ajv-compiler'
import SerializerCompiler from '@fastify/fast-json-stringify-compiler'
import type {
  FastifyHttpOptions,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler
} from 'fastify'
import { errorResponse } from '../services/http/error-response.ts'
import type { Config } from './index.ts'
import { type LogStream, loggerOptions, logStreamOf } from './logging.ts'
import { RequestLog } from './request-log.ts'

/** Maximum body size in bytes (interface 3.8). Far more than a submission needs. */
const bodyLimit = 64 * 1024

/**
 * Maximum length of a path parameter. Equals Node's limit for the request line and headers, so that schemas, not the
 * router, reject long parameters.
 */
const maxParamLength = 16 * 1024

/**
 * Connection timeouts in milliseconds (interface 21.1, 21.2). A request must arrive completely within 25 seconds of its
 * first byte, or of the start of its connection. Node checks every second. The keep-alive timeout exceeds that of
 * common proxies, so that a proxy does not send a request on a connection that is being closed.
 */
export const connectionTimes = {
  requestTimeout: 25_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 72_000
}

/**
 * Maximum number of requests per connection (interface 21.11). Node starts all pipelined requests before any other
 * work.
 */
const maxRequestsPerSocket = 100

/** Timeout for loading a plugin, in milliseconds. Loading code is slow on a busy machine. */
const pluginTimeout = 60_000

/**
 * Returns the options for every Fastify instance that runs the application, including one in another program
 * (`index.ts`).
 * @param stream destination of the log
 */
export function fastifyOptions(config: Config, stream: LogStream = logStreamOf(config)) {
  const { TRUST_PROXY } = config
  return {
    logger: loggerOptions(config, stream),
    bodyLimit,
    maxRequestsPerSocket,
    pluginTimeout,
    routerOptions: { maxParamLength },
    // The connection's own address counts as the first proxy (interface 14.13).
    trustProxy: typeof TRUST_PROXY === 'number' ? (_address, index) => index < TRUST_PROXY : TRUST_PROXY,
    genReqId: requestId,
    // Handle requests normally while the server is closing (interface 7.13).
    return503OnClosing: false,
    ...connectionTimes,
    http: connectionTimes
  } satisfies FastifyHttpOptions<Server>
}

/** Matches tokens that are safe in logs. Excludes API keys, which a client might send in the wrong header. */
const saneToken = /^(?!tbe_)[A-Za-z0-9_.:=+-]{1,128}$/

/** Returns the client's request id if it is safe in logs and headers, otherwise a new id (interface 14.8). */
function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers['x-request-id']
  return typeof id === 'string' && saneToken.test(id) ? id : randomUUID()
}

/**
 * Returns the Fastify options for the server and the tests: the shared options, plus those that require all routes to
 * belong to the application.
 * @param stream destination of the log
 */
export function serverOptions(config: Config, stream: LogStream = logStreamOf(config)) {
  const shared = fastifyOptions(config, stream)
  return {
    ...shared,
    logController: new RequestLog(),
    frameworkErrors: refuseUrl
  } satisfies FastifyHttpOptions<Server>
}

/** Rejects a request whose URL the router cannot parse. Hooks and error handlers do not run for it (interface 3.12). */
function refuseUrl(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const { code, statusCode, headers, body } = errorResponse(error, request.id)
  request.errorCode = code
  request.server.metrics.request(request.method, undefined, statusCode, 0)
  reply
    .code(statusCode)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .send(body)
}

/** A factory that returns the same compiler for the same options. */
const validators = AjvCompiler()

const common = { removeAdditional: false, useDefaults: true, allErrors: true } as const

/**
 * Creates validators for parts of a request. In JSON bodies, wrong types are errors (interface 3.6). Queries, paths and
 * headers are strings and converted to the schema's types (interface 3.7). Compiles each schema on first use: compiling
 * all of them at startup would take 10 % of the startup time.
 */
export const compileValidator: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) => {
  const coerceTypes = httpPart === 'body' ? false : 'array'
  let validate: ReturnType<ReturnType<typeof validators>> | undefined
  return data => {
    validate ??= validators({}, { customOptions: { ...common, coerceTypes } })({ schema })
    return validate(data) === true || { error: validate.errors ?? [] }
  }
}

const serializers = SerializerCompiler()()

/**
 * Creates response serializers. Error bodies need no schema, so JSON.stringify is enough. Compiles other schemas on
 * first use: compiling all of them at startup would take 20 % of the startup time.
 */
export const compileSerializer: FastifySerializerCompiler<FastifySchema> = route => {
  if (Number(route.httpStatus) >= 400) return JSON.stringify
  let serialize: ReturnType<typeof serializers> | undefined
  return data => {
    serialize ??= serializers({ httpStatus: '', ...route })
    return serialize(data)
  }
}
