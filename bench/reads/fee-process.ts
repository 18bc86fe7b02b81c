import { once } from 'node:events'
import { createServer } from 'node:http'

/** A fee service that answers at once: `fee-process.js QUOTE` sends that text, and reports its port to its parent. */
const quote = Buffer.from(process.argv[2] ?? '')
const headers = { 'content-type': 'application/json', 'content-length': quote.length }
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, headers).end(quote))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
process.send?.({ topic: 'listening', url: `http://127.0.0.1:${port}` })
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
