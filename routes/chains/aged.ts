import type { FastifyReply } from 'fastify'
import type { Aged } from '../../services/caches/cached-read.ts'

/** As long as the service itself keeps such an answer without asking again (interface 4.21). */
const CACHE_CONTROL = 'public, max-age=10'

/** What the answer depends on, besides its address: its encoding, and the CORS headers. */
const VARY = 'Origin, accept-encoding'

/** Says how old an answer from the chain is (interface 4.25), and how long it may be kept (4.30). @returns the answer */
export function aged<T>(reply: FastifyReply, { value, ageSeconds }: Aged<T>): T {
  reply.headers({ age: ageSeconds, 'cache-control': CACHE_CONTROL, vary: VARY })
  return value
}
