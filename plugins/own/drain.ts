import fp from 'fastify-plugin'

/**
 * While the server is closing, every answer closes its connection. Otherwise the connections that clients keep alive
 * would hold the server open.
 */
export default fp(
  async app => {
    let closing = false
    app.addHook('preClose', async () => {
      closing = true
    })
    app.addHook('onSend', async (_request, reply) => {
      if (closing) reply.header('connection', 'close')
    })
  },
  { name: 'drain' }
)
