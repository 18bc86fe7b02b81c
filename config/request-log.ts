import { hostname } from 'node:os'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from './index.ts'
import type { LogStream } from './log-stream.ts'
import { pathOf } from './logging.ts'

/** What every line of the logger has at its begin and after its time. */
const START = '{"level":30,"time":'
const PROCESS = `,"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`

/**
 * Logs one line for each request, when its answer is complete or its client has left (interface 14.12). It writes the line
 * itself: the logger would look in each field for what must not be logged, and these never hold it.
 */
export class RequestLog extends LogController {
  readonly #stream: LogStream
  readonly #isInfo: boolean

  constructor(stream: LogStream, level: Config['LOG_LEVEL']) {
    super()
    this.#stream = stream
    this.#isInfo = ['trace', 'debug', 'info'].includes(level)
  }

  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    request.log.debug({ req: request }, 'incoming request')
    if (this.#isInfo) reply.raw.on('close', () => this.#stream.write(lineOf(request, reply)))
  }

  override requestCompleted(): void {}
}

/** The id and the code need no escaping: both have a narrow form. */
function lineOf({ id, method, url, raw, server, errorCode }: FastifyRequest, reply: FastifyReply): string {
  const how = reply.raw.writableFinished ? 'request completed' : 'request aborted by the client'
  const req = JSON.stringify({ method, path: pathOf(url), ip: server.clientAddress(raw) })
  const code = errorCode === undefined ? '' : `,"code":"${errorCode}"`
  return (
    `${START}${Date.now()}${PROCESS},"reqId":"${id}","req":${req},"res":{"statusCode":${reply.statusCode}}${code}` +
    `,"responseTime":${reply.elapsedTime},"msg":"${how}"}\n`
  )
}
