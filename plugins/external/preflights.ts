import cors from '@fastify/cors'
import fp from 'fastify-plugin'

/** How long a browser may reuse the answer to a preflight, in seconds: the most that Chromium accepts. */
const MAX_AGE_S = 7200

/** Answers the preflights of accepted origins. It has a scope of its own, so that other requests do not pass through it. */
export default fp(
  async app => {
    await app.register(async preflights => {
      const seen = new Set<string>()
      // The package answers all preflights with one route. With one for each URL, the metrics name it.
      app.addHook('onRoute', ({ url, method }) => {
        if (method === 'OPTIONS' || url.endsWith('/') || seen.has(url)) return
        seen.add(url)
        preflights.options(url, { schema: { hide: true } }, (_request, reply) => reply.send())
      })
      await preflights.register(cors, {
        origin: true,
        credentials: true,
        methods: 'GET, HEAD, POST',
        maxAge: MAX_AGE_S,
        strictPreflight: false
      })
    })
  },
  { name: 'preflights', dependencies: ['cors', 'request-head'] }
)
