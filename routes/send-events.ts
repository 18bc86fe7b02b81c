import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventKind } from '../plugins/app/events.ts'
import type { EventHeaders } from '../schemas/events.ts'
import { ServiceError } from '../services/errors/index.ts'
import { briefStream } from '../services/stream/streams.ts'

/** Sends an event stream of states (interface section 22), or 204 if the client already has the final state. */
export async function sendEvents(
  request: FastifyRequest & { headers: EventHeaders },
  reply: FastifyReply,
  { kind, id, missing }: { kind: EventKind; id: string; missing: string }
): Promise<FastifyReply> {
  const { server: app, headers, method, client } = request
  const watched = await app.events.read(kind, id)
  if (watched === undefined) throw new ServiceError('NOT_FOUND', missing)
  const { state, watch } = watched
  const lastEventId = headers['last-event-id']
  if (state.isFinal && state.id === lastEventId) return reply.code(204).send()

  // Send a pipelined request only the current state, because its response must wait for the previous one on the
  // connection.
  const isBrief = state.isFinal || app.stopping.aborted || reply.raw.socket === null
  function open(): Readable {
    if (method === 'HEAD') return Readable.from([])
    if (isBrief) return briefStream(state, lastEventId)
    return app.events.streams.open({ client, lastEventId, watch })
  }
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(open())
}
