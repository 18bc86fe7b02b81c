import fp from 'fastify-plugin'

/** Tells every client the id under which the log holds its request (contract §3). */
export default fp(
  async app => {
    app.addHook('onSend', async (request, reply) => {
      reply.header('x-request-id', request.id)
    })
  },
  { name: 'request-id' }
)
