import { hostname } from 'node:os'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { systemClock } from '../services/clock.ts'
import type { ErrorCode } from '../services/errors/catalogue.ts'
import { onceAMinute } from '../services/http/once-a-minute.ts'
import { traceFields, traceOf } from '../services/trace-context.ts'
import type { Config } from './index.ts'
import type { LogStream } from './log-stream.ts'
import { cleaned, pathOf } from './logging.ts'

/** What every line of the logger has at its begin and after its time. */
const START = '{"level":30,"time":'
const PROCESS = `,"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`

/** Refusals that cost a client nothing, and of which it may cause any number: so many have a line in a second. */
const FREE: readonly (ErrorCode | undefined)[] = [
  'RATE_LIMITED',
  'ORIGIN_BLOCKED',
  'OVERLOADED',
  'REQUEST_TIMEOUT'
]
const MOST_FREE = 50

/**
 * Logs one line for each request, when its answer is complete or its client has left (interface 14.12). It writes the line
 * itself: the logger would look in each field for what must not be logged, and these never hold it.
 */
export class RequestLog extends LogController {
  readonly #stream: LogStream
  readonly #isInfo: boolean
  readonly #passedOver: () => void
  #second = 0
  #free = 0

  constructor(stream: LogStream, level: Config['LOG_LEVEL']) {
    super()
    this.#stream = stream
    this.#isInfo = ['trace', 'debug', 'info'].includes(level)
    this.#passedOver = onceAMinute(requests =>
      stream.write(`${START}${Date.now()}${PROCESS},"requests":${requests},"msg":"refused without a line"}\n`)
    )
  }

  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    request.log.debug({ req: request, ...traceFields(traceOf(request)) }, 'incoming request')
    if (!this.#isInfo) return
    reply.raw.on('close', () => {
      if (this.#hasLine(request.errorCode)) this.#stream.write(lineOf(request, reply))
      else this.#passedOver()
    })
  }

  #hasLine(code: ErrorCode | undefined): boolean {
    if (!FREE.includes(code)) return true
    const second = Math.floor(systemClock.elapsed() / 1000)
    if (second !== this.#second) this.#free = 0
    this.#second = second
    this.#free += 1
    return this.#free <= MOST_FREE
  }

  override requestCompleted(): void {}

  /** The line of the request has it. */
  override streamError(): void {}
}

const isEventStream = (reply: FastifyReply) =>
  reply.raw.headersSent && String(reply.getHeader('content-type')).startsWith('text/event-stream')

/** The ids and the code need no escaping: they have a narrow form. */
function lineOf(request: FastifyRequest, reply: FastifyReply): string {
  const { id, method, url, ip, errorCode } = request
  const isComplete = reply.raw.writableFinished
  // Most clients leave a stream when they know enough.
  const isLeftStream = !isComplete && isEventStream(reply)
  const how = isComplete
    ? 'request completed'
    : errorCode === 'REQUEST_TIMEOUT'
      ? 'request timed out'
      : isLeftStream
        ? 'stream left by the client'
        : 'request aborted by the client'
  const res = isComplete || isLeftStream ? `,"res":{"statusCode":${reply.statusCode}}` : ''
  const req = JSON.stringify({ method, path: pathOf(url), ip: cleaned(ip) })
  const code = errorCode === undefined ? '' : `,"code":"${errorCode}"`
  const trace = traceFields(traceOf(request))
  const ids = trace === undefined ? '' : `,"trace_id":"${trace.trace_id}","span_id":"${trace.span_id}"`
  return (
    `${START}${Date.now()}${PROCESS},"reqId":"${id}"${ids},"req":${req}${res}${code}` +
    `,"responseTime":${reply.elapsedTime},"msg":"${how}"}\n`
  )
}
