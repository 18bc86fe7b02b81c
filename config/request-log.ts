import { trace } from '@opentelemetry/api'
import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { ErrorCode } from '../schemas/error-catalogue.ts'
import { onceAMinute } from '../services/async/once-a-minute.ts'
import { systemClock } from '../services/clock.ts'
import { traceFields } from '../services/tracing/index.ts'

/** Rejections that could flood the log: many clients can get them at the same time within their rate limits. */
const FLOODS: readonly (ErrorCode | undefined)[] = ['ORIGIN_BLOCKED', 'OVERLOADED']

const MOST_SAMPLED = 50

/** Logs one line per request, when the response is complete or the client has disconnected. */
export class RequestLog extends LogController {
  #log: FastifyBaseLogger | undefined
  readonly #passedOver = onceAMinute(requests => this.#log?.info({ requests }, 'requests not logged'))
  #second = 0
  #sampled = 0

  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    this.#log = request.server.log
    request.log.debug({ req: request }, 'incoming request')
    reply.raw.on('close', () => {
      if (this.#hasLine(request)) logRequest(request, reply)
      else this.#passedOver()
    })
  }

  #hasLine({ isCounted, errorCode }: FastifyRequest): boolean {
    if (isCounted && !FLOODS.includes(errorCode)) return true
    const second = Math.floor(systemClock.elapsed() / 1000)
    if (second !== this.#second) this.#sampled = 0
    this.#second = second
    this.#sampled += 1
    return this.#sampled <= MOST_SAMPLED
  }

  override requestCompleted(): void {}

  override streamError(): void {}
}

/** The request's context has ended when its line is written. */
function traceOf(request: FastifyRequest) {
  const { context } = request.server.hasRequestDecorator('opentelemetry') ? request.opentelemetry() : {}
  const span = context && trace.getSpan(context)
  return span && traceFields(span)
}

const isEventStream = (reply: FastifyReply) =>
  reply.raw.headersSent && String(reply.getHeader('content-type')).startsWith('text/event-stream')

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { errorCode } = request
  const isComplete = reply.raw.writableFinished
  // Clients usually close an event stream before it ends.
  const isLeftStream = !isComplete && isEventStream(reply)
  const how = isComplete
    ? 'request completed'
    : isLeftStream
      ? 'stream closed by the client'
      : 'request aborted by the client'
  request.log.info(
    {
      ...traceOf(request),
      req: request,
      ...((isComplete || isLeftStream) && { res: reply }),
      ...(request.caller && { caller: request.caller.name }),
      ...(errorCode !== undefined && { code: errorCode }),
      responseTime: reply.elapsedTime
    },
    how
  )
}
