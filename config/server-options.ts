import type { FastifyServerOptions } from 'fastify'
import { fastifyOptions } from './fastify-options.ts'
import type { Config } from './index.ts'
import type { LogStream } from './log-stream.ts'
import { logStreamOf } from './logging.ts'
import { RequestLog } from './request-log.ts'

/**
 * The options of Fastify, for the server and for the tests: with the log of requests, which needs the Fastify of this
 * process.
 * @param stream where the log goes
 */
export function serverOptions(config: Config, stream: LogStream = logStreamOf(config)) {
  return {
    ...fastifyOptions(config, stream),
    logController: new RequestLog(stream, config.LOG_LEVEL)
  } satisfies FastifyServerOptions
}
