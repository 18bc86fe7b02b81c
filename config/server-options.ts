import type { Server } from 'node:http'
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify'
import { errorResponse } from '../services/http/error-response.ts'
import { fastifyOptions } from './fastify-options.ts'
import type { Config } from './index.ts'
import { type LogStream, logStreamOf } from './logging.ts'
import { RequestLog } from './request-log.ts'

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
