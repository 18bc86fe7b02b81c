import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import AjvCompiler from '@fastify/ajv-compiler'
import SerializerCompiler from '@fastify/fast-json-stringify-compiler'
import type { TSchema } from '@sinclair/typebox'
import type {
  FastifyHttpOptions,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler
} from 'fastify'
import type { Config } from './index.ts'
import { type LogStream, loggerOptions, logStreamOf } from './logging.ts'
import { RequestLog } from './request-log.ts'

/**
 * Connection timeouts in milliseconds (interface 21.1). Keep-alive connections stay open longer than common
 * proxies use them, so that no proxy sends a request on a connection that is being closed.
 */
export const connectionTimes = {
  requestTimeout: 25_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 72_000
}

/** Returns the options of the server's connections and log, which a host program's instance needs too (`index.ts`). */
export function fastifyOptions(config: Config, stream: LogStream = logStreamOf(config)) {
  const { TRUST_PROXY } = config
  return {
    logger: loggerOptions(config, stream),
    // Limits pipelining, because Node starts all pipelined requests before any other work.
    maxRequestsPerSocket: 100,
    // At the first start, a node that hangs is asked four times, with limits that grow: 75 s in all.
    pluginTimeout: 120_000,
    // The connection's own address counts as the first proxy (interface 14.13).
    trustProxy: typeof TRUST_PROXY === 'number' ? (_address, index) => index < TRUST_PROXY : TRUST_PROXY,
    genReqId: raw => requestId(raw),
    return503OnClosing: false,
    ...connectionTimes,
    // Otherwise Node drops repeated headers: an `authorization` that a proxy has checked might not be the first.
    http: { ...connectionTimes, joinDuplicateHeaders: true }
  } satisfies FastifyHttpOptions<Server>
}

const saneToken = /^(?!tbe_)[A-Za-z0-9_.:=+-]{1,128}$/

/** Returns the client's request id, or another if it is unsafe in logs or could be an API key (interface 14.8). */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>, other?: string): string {
  const id = headers['x-request-id']
  return typeof id === 'string' && saneToken.test(id) ? id : (other ?? randomUUID())
}

/** Returns the options for an instance whose routes all belong to the application. */
export function serverOptions(config: Config, stream: LogStream = logStreamOf(config)) {
  const shared = fastifyOptions(config, stream)
  return {
    ...shared,
    bodyLimit: 64 * 1024,
    routerOptions: {
      // Equals Node's limit for the request line and headers, so that schemas, not the router, reject long parameters.
      maxParamLength: 16 * 1024,
      ignoreTrailingSlash: true
    },
    logController: new RequestLog(),
    frameworkErrors: routeAgain
  } satisfies FastifyHttpOptions<Server>
}

/** Routes a URL that the router cannot parse as one that no route has, so that hooks count, log and reject it. */
function routeAgain(_error: Error, { raw, server }: FastifyRequest, reply: FastifyReply): void {
  server.routing(Object.assign(raw, { originalUrl: raw.url, url: UNPARSED }), reply.raw)
}

const UNPARSED = '/%25'

const validators = AjvCompiler()

const common = { removeAdditional: false, useDefaults: true } as const

/**
 * Creates validators, on first use: compiling all schemas at startup would take 10 % of its time. Converts strings in
 * queries, paths and headers to the schema's types, but nothing in JSON bodies (interface 3.6).
 */
export const compileValidator: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) => {
  const coerceTypes = httpPart === 'body' ? false : 'array'
  // A body of 64 KiB can have thousands of unknown names, and each would be an error.
  const allErrors = !('additionalProperties' in schema)
  // `1e400` becomes infinite after its type is checked, and strict numbers skip the limits of infinite ones.
  const strictNumbers = httpPart === 'body'
  let validate: ReturnType<ReturnType<typeof validators>> | undefined
  return data => {
    validate ??= validators(
      {},
      { customOptions: { ...common, coerceTypes, allErrors, strictNumbers } }
    )({ schema })
    return validate(data) === true || { error: validate.errors ?? [] }
  }
}

const serializers = SerializerCompiler()()

/** Creates response serializers, on first use: compiling all schemas at startup would take 20 % of its time. */
export const compileSerializer: FastifySerializerCompiler<FastifySchema> = route => {
  if (Number(route.httpStatus) >= 400) return JSON.stringify
  let serialize: ReturnType<typeof serializers> | undefined
  return data => {
    serialize ??= serializers({ httpStatus: '', ...route })
    return serialize(data)
  }
}

/** Returns a serializer for bodies of a schema, outside a response. */
export const serializerOf = (schema: TSchema) =>
  compileSerializer({ schema, method: 'GET', url: '', httpStatus: '200' })
