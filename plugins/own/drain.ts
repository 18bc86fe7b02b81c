import fp from 'fastify-plugin'

/**
 * Lets a closing server come to its end: connections that clients keep alive would hold it open long after
 * their last answer, so every answer from then on ends its connection.
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
