import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Aged } from '../../services/caches/cached-read.ts'
import { type Soon, whenThere } from '../../services/caches/soon.ts'
import { isNamed, type PreparedBody, prepareBody } from '../../services/http/prepared-body.ts'

/** As long as the service itself keeps such an answer without asking again (interface 4.21). */
const CACHE_CONTROL = 'public, max-age=10'

/** What the answer depends on, besides its address: its encoding, and the CORS headers. */
const VARY = 'Origin, Accept-Encoding'

/**
 * Makes a function that sends answers from the chain with their age (interface 4.25), and without a body when the client
 * has it already (4.30). What stays the same object is serialized once.
 * @param toBody the JSON body for what the chain has answered
 */
export function agedAnswers<T extends object>(toBody: (value: T) => object = value => value) {
  const bodies = new WeakMap<T, PreparedBody>()

  function send(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    { value, ageSeconds }: Aged<T>
  ): FastifyReply {
    let body = bodies.get(value)
    if (body === undefined) {
      body = prepareBody(String(reply.serialize(toBody(value))))
      bodies.set(value, body)
    }
    reply.headers({ age: ageSeconds, etag: body.etag, 'cache-control': CACHE_CONTROL, vary: VARY })
    if (isNamed(body.etag, headers['if-none-match'])) return reply.code(304).send()
    const { encoding, bytes } = body.encoded(headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type('application/json; charset=utf-8').send(bytes)
  }

  return (request: FastifyRequest, reply: FastifyReply, read: Soon<Aged<T>>): Soon<FastifyReply> =>
    whenThere(read, aged => send(request, reply, aged))
}
