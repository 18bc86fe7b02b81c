import { once } from 'node:events'
import type { Server } from 'node:http'

/** Listens on a free port, which it reports to the parent, until that says SIGTERM. */
export async function serve(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  process.send?.({ topic: 'listening', url: `http://127.0.0.1:${port}` })
  process.once('SIGTERM', () => {
    server.close()
    server.closeAllConnections()
  })
}
