import fp from 'fastify-plugin'

/**
 * Every answer has the id under which the log holds the request (interface 14.8), and nobody may store it (interface 14.15). A
 * route whose answers are the same for all says so in place of that.
 */
export default fp(
  async app => {
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
      done()
    })
  },
  { name: 'answer-headers' }
)
