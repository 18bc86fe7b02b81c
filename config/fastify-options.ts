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

/** In bytes (interface 3.8). Far more than a submission needs. */
const bodyLimit = 64 * 1024

/** Equals Node's limit for all headers, so that the parameter's schema rejects a long value, not the router. */
const maxParamLength = 16 * 1024

/**
 * In milliseconds (interface 21.1, 21.2). A request must arrive completely within 25 seconds of its first byte, or of
 * the start of its connection. Node checks every second. Idle connections outlive those of common proxies, so no proxy
 * sends a request on a connection that is being closed.
 */
export const connectionTimes = {
  requestTimeout: 25_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 72_000
}

/** Per connection (interface 21.11): Node starts all requests that it has read before it does anything else. */
const maxRequestsPerSocket = 100

/** How long a plugin may take to start, in milliseconds. Includes loading its code, which is slow on a busy machine. */
const pluginTimeout = 60_000

/**
 * The options of every Fastify that runs the application, including one in another program (`index.ts`).
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

/** Excludes API keys, which a client may have put into the wrong header. */
const saneToken = /^(?!tbe_)[A-Za-z0-9_.:=+-]{1,128}$/

/** The client's request id if it is safe in logs and headers, otherwise a new one (interface 14.8). */
function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers['x-request-id']
  return typeof id === 'string' && saneToken.test(id) ? id : randomUUID()
}

/**
 * The Fastify options of the server and the tests: the shared options, plus those for an instance whose routes all
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

/** Rejects a request whose URL the router cannot read. No hook or error handler sees it (interface 3.12). */
function refuseUrl(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const { code, statusCode, headers, body } = errorResponse(error, request.id)
  request.errorCode = code
  request.server.metrics.request(request.method, undefined, statusCode, 0)
  reply
    .code(statusCode)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .send(body)
}

/** Returns the same compiler for the same options. */
const validators = AjvCompiler()

const common = { removeAdditional: false, useDefaults: true, allErrors: true } as const

/**
 * Validates a part of a request. In a JSON body a wrong type is an error (interface 3.6). Queries, paths and headers
 * are strings, converted to the type in the schema (interface 3.7). Compiles a schema on its first request: compiling
 * all of them would take a tenth of the startup time.
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
 * Serializes responses. Error bodies already have exactly their fields, and every route has several of them:
 * JSON.stringify is enough. Other schemas are compiled on their first response: compiling all of them would take a
 * fifth of the startup time.
 */
export const compileSerializer: FastifySerializerCompiler<FastifySchema> = route => {
  if (Number(route.httpStatus) >= 400) return JSON.stringify
  let serialize: ReturnType<typeof serializers> | undefined
  return data => {
    serialize ??= serializers({ httpStatus: '', ...route })
    return serialize(data)
  }
}
