import fp from 'fastify-plugin'

/** Sends the id under which the log holds the request (interface 14.8). */
export default fp(
  async app => {
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id)
      done()
    })
  },
  { name: 'request-id' }
)
