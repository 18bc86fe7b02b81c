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

/** In bytes (interface 3.8): far more than a submission needs. */
const bodyLimit = 64 * 1024

/** Node's limit of all headers together, so that the schema of a parameter decides and not the router. */
const maxParamLength = 16 * 1024

/**
 * In milliseconds (interface 21.1, 21.2). A request has 25 seconds from its first byte, or from the start of its
 * connection, to its last. Node looks for late ones every second. An idle connection is kept for longer than proxies keep
 * theirs, so that none sends a request on a connection that is being closed.
 */
export const connectionTimes = {
  requestTimeout: 25_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 72_000
}

/** Of one connection (interface 21.11): Node starts all requests that it has read before it does anything else. */
const maxRequestsPerSocket = 100

/** How long a plugin may take to start, in milliseconds. Loading its code counts, which a busy machine does slowly. */
const pluginTimeout = 60_000

/**
 * The options of every Fastify that the application runs on, also in another program (`index.ts`).
 * @param stream where the log goes
 */
export function fastifyOptions(config: Config, stream: LogStream = logStreamOf(config)) {
  const { TRUST_PROXY } = config
  return {
    logger: loggerOptions(config, stream),
    bodyLimit,
    maxRequestsPerSocket,
    pluginTimeout,
    routerOptions: { maxParamLength },
    // The connection's address is the first of so many (interface 14.13).
    trustProxy: typeof TRUST_PROXY === 'number' ? (_address, index) => index < TRUST_PROXY : TRUST_PROXY,
    genReqId: requestId,
    // Requests that come while the server is closing are answered as before (interface 7.13).
    return503OnClosing: false,
    ...connectionTimes,
    http: connectionTimes
  } satisfies FastifyHttpOptions<Server>
}

/** No API key, which a client may have put into the wrong header. */
const saneToken = /^(?!tbe_)[A-Za-z0-9_.:=+-]{1,128}$/

/** The client's request id when it is safe in logs and headers, otherwise a new one (interface 14.8). */
function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers['x-request-id']
  return typeof id === 'string' && saneToken.test(id) ? id : randomUUID()
}

/**
 * The options of Fastify, for the server and for the tests. Besides those that every Fastify of the application has, these
 * are for one whose routes are all the application's.
 * @param stream where the log goes
 */
export function serverOptions(config: Config, stream: LogStream = logStreamOf(config)) {
  const shared = fastifyOptions(config, stream)
  return {
    ...shared,
    logController: new RequestLog(),
    frameworkErrors: refuseUrl
  } satisfies FastifyHttpOptions<Server>
}

/** Answers a request with a URL that the router cannot read. No hook and no error handler sees it (interface 3.12). */
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
 * Validates a part of a request. In a JSON body a wrong type is an error (interface 3.6). Queries, paths and headers are
 * text and are read as the type that the schema asks for (interface 3.7).
 *
 * A schema is compiled for its first request: all of them together would be a tenth of the start.
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
 * Serializes answers. Bodies of errors are made with exactly their fields, and every route has several of them. The others
 * are compiled for their first answer: all of them together would be a fifth of the start.
 */
export const compileSerializer: FastifySerializerCompiler<FastifySchema> = route => {
  if (Number(route.httpStatus) >= 400) return JSON.stringify
  let serialize: ReturnType<typeof serializers> | undefined
  return data => {
    serialize ??= serializers({ httpStatus: '', ...route })
    return serialize(data)
  }
}
