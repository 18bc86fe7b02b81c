import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

/** Logs one line for each request, when its answer is complete or its client has left (interface 14.12). */
export class RequestLog extends LogController {
  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    request.log.debug({ req: request }, 'incoming request')
    reply.raw.once('close', () => {
      const how = reply.raw.writableFinished ? 'request completed' : 'request aborted by the client'
      const { log, errorCode } = request
      log.info({ req: request, res: reply, code: errorCode, responseTime: reply.elapsedTime }, how)
    })
  }

  override requestCompleted(): void {}
}
