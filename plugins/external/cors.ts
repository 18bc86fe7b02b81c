import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import { createOriginMatcher } from '../../services/http/origins.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a browser sent it for a page of an origin that DOMAIN does not list. */
    readonly isForeign: boolean
  }
}

/** How long a browser may reuse the answer to a preflight, in seconds: the most that Chromium accepts. */
const MAX_AGE_S = 7200

/** CORS for the origins that DOMAIN lists (interface 14.1 to 14.7). It answers their preflights. */
export default fp(
  async app => {
    const { DOMAIN, NODE_ENV } = app.config
    const isListed = NODE_ENV === 'development' ? () => true : createOriginMatcher(DOMAIN)
    const isAccepted = (origin: string | undefined) => origin === undefined || isListed(origin)
    await app.register(cors, {
      origin: (origin, done) => done(null, isAccepted(origin)),
      credentials: true,
      exposedHeaders: ['x-request-id', 'retry-after', 'age'],
      methods: ['GET', 'HEAD', 'POST'],
      maxAge: MAX_AGE_S,
      strictPreflight: false
    })
    app.decorateRequest('isForeign', {
      getter() {
        return !isAccepted(this.headers.origin)
      }
    })
  },
  { name: 'cors', dependencies: ['config', 'helmet'] }
)
