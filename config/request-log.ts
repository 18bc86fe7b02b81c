import { trace } from '@opentelemetry/api'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { ErrorCode } from '../schemas/error-catalogue.ts'
import { onceAMinute } from '../services/async/once-a-minute.ts'
import { shown } from '../services/errors/shown.ts'
import { traceFields } from '../services/tracing/index.ts'

/** Rejections that could flood the log: many clients can get them at the same time within their rate limits. */
const FLOODS: readonly (ErrorCode | undefined)[] = ['ORIGIN_BLOCKED', 'OVERLOADED']

/** The maximum length of a logged origin, which is longer than any origin that DOMAIN can list. */
const MAX_LENGTH = 300

type Exchange = readonly [FastifyRequest, FastifyReply]

/**
 * Logs one line per request, when the response is complete or the client has disconnected. Of requests without a rate
 * limit and of floods, it logs the first of each kind, and then once a minute their number with the last one.
 */
export class RequestLog extends LogController {
  readonly #floods = new Map<ErrorCode | undefined, (exchange: Exchange) => void>()

  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    // The router cannot parse the URL, so `routeAgain` routes the request again. Log it only then.
    if (!('isCounted' in request)) return
    request.log.debug({ req: request }, 'incoming request')
    reply.raw.on('close', () => {
      const { isCounted, errorCode } = request
      if (isCounted && !FLOODS.includes(errorCode)) logRequest([request, reply])
      else this.#flood(errorCode)([request, reply])
    })
  }

  #flood(kind: ErrorCode | undefined) {
    const note =
      this.#floods.get(kind) ?? onceAMinute<Exchange>((requests, last) => logRequest(last, { requests }))
    this.#floods.set(kind, note)
    return note
  }

  override requestCompleted(): void {}

  override streamError(): void {}
}

/** Returns the trace ids of a request, from its stored context: it is no longer active when the line is written. */
function traceOf(request: FastifyRequest) {
  const { context } = request.server.hasRequestDecorator('opentelemetry') ? request.opentelemetry() : {}
  const span = context && trace.getSpan(context)
  return span && traceFields(span)
}

const isEventStream = (reply: FastifyReply) =>
  reply.raw.headersSent && String(reply.getHeader('content-type')).startsWith('text/event-stream')

function logRequest([request, reply]: Exchange, fields?: { requests: number }): void {
  const isComplete = reply.raw.writableFinished
  // Clients usually close an event stream before it ends.
  const isLeftStream = !isComplete && isEventStream(reply)
  const end = isLeftStream
    ? 'stream closed by the client'
    : 'connection closed before the response was complete'
  request.log.info(
    {
      ...fields,
      ...traceOf(request),
      req: request,
      res: isComplete || isLeftStream ? reply : undefined,
      caller: request.caller?.name,
      code: request.errorCode,
      // Logged because the operator may have forgotten to list the origin in DOMAIN.
      origin:
        request.errorCode === 'ORIGIN_BLOCKED'
          ? shown(String(request.headers.origin), MAX_LENGTH)
          : undefined,
      responseTime: reply.elapsedTime
    },
    isComplete ? 'request completed' : end
  )
}
