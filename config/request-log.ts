import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { onceAMinute } from '../services/async/once-a-minute.ts'
import { systemClock } from '../services/clock.ts'
import type { ErrorCode } from '../services/errors/catalogue.ts'
import { spanOf, traceFields } from '../services/tracing/index.ts'

/** Refusals that cost a client nothing, and of which it may cause any number: so many have a line in a second. */
const FREE: readonly (ErrorCode | undefined)[] = [
  'RATE_LIMITED',
  'ORIGIN_BLOCKED',
  'OVERLOADED',
  'REQUEST_TIMEOUT'
]
const MOST_FREE = 50

/** Logs one line for each request, when its answer is complete or its client has left (interface 14.12). */
export class RequestLog extends LogController {
  #log: FastifyBaseLogger | undefined
  readonly #passedOver = onceAMinute(requests => this.#log?.info({ requests }, 'refused without a line'))
  #second = 0
  #free = 0

  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    this.#log = request.server.log
    request.log.debug({ req: request, ...traceFields(spanOf(request).context) }, 'incoming request')
    reply.raw.on('close', () => {
      if (this.#hasLine(request.errorCode)) logRequest(request, reply)
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

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { errorCode } = request
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
  request.log.info(
    {
      ...traceFields(spanOf(request).context),
      req: request,
      ...((isComplete || isLeftStream) && { res: reply }),
      ...(errorCode !== undefined && { code: errorCode }),
      responseTime: reply.elapsedTime
    },
    how
  )
}
