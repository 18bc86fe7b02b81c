import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import { fastifyOptions } from './fastify-options.ts'
import type { Config } from './index.ts'
import type { LogStream } from './log-stream.ts'
import { logStreamOf } from './logging.ts'
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
    logController: new RequestLog(stream, config.LOG_LEVEL),
    frameworkErrors: (error, request, reply) => request.server.refuseUrl(error, request, reply),
    // What `plugins/external/request-head.ts` checks: Node would drop all Host headers but the first one.
    http: { ...shared.http, requireHostHeader: false, joinDuplicateHeaders: true }
  } satisfies FastifyHttpOptions<Server>
}
