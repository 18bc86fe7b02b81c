import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventKind } from '../plugins/app/events.ts'
import type { EventHeaders } from '../schemas/events.ts'
import { ServiceError } from '../services/errors/index.ts'

/** Sends an event stream of states (interface section 22), or 204 if the client already has the final state. */
export async function sendEvents(
  request: FastifyRequest & { headers: EventHeaders },
  reply: FastifyReply,
  { kind, id, missing }: { kind: EventKind; id: string; missing: string }
): Promise<FastifyReply> {
  const { server: app, headers, method, networks } = request
  const { watches, streams } = app.events
  const reading = await watches[kind].read(id)
  if (reading === undefined) throw new ServiceError('NOT_FOUND', missing)
  const lastEventId = headers['last-event-id']
  if (reading.state.isFinal && reading.state.id === lastEventId) return reply.code(204).send()

  // Send a pipelined request only the current state, because its response must wait for the previous one on the
  // connection.
  const isBrief = app.stopping.aborted || reply.raw.socket === null
  const stream =
    method === 'HEAD' ? Readable.from([]) : streams.open(reading, { networks, lastEventId, isBrief })
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(stream)
}
