import type { Socket } from 'node:net'
import fp from 'fastify-plugin'

/** How long the first request of a connection may take to come while the server is stopping, in milliseconds. */
const WAIT_MS = 1000

/**
 * Closes the connections without a request while the server is stopping. Browsers open some in advance, and Node waits for
 * their first request before it closes.
 */
export default fp(
  async app => {
    const unused = new Set<Socket>()
    let sweep: NodeJS.Timeout | undefined

    app.server.on('connection', socket => {
      unused.add(socket)
      socket.once('close', () => unused.delete(socket))
    })
    app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
      unused.delete(socket)
      done()
    })
    app.addHook('preClose', async () => {
      let due = new Set<Socket>()
      sweep = setInterval(() => {
        for (const socket of due) if (unused.has(socket)) socket.destroy()
        due = new Set(unused)
      }, WAIT_MS)
    })
    app.addHook('onClose', async () => clearInterval(sweep))
  },
  // Its `preClose` runs when that of `drain` is done.
  { name: 'unused-connections', dependencies: ['drain'] }
)
