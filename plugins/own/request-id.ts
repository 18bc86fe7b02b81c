import fp from 'fastify-plugin'

/** Sends the id under which the log holds the request (interface 14.8). */
export default fp(
  async app => {
    app.addHook('onSend', async (request, reply) => {
      reply.header('x-request-id', request.id)
    })
  },
  { name: 'request-id' }
)
