import { once } from 'node:events'
import express from 'express'
import { readAnswers } from './answers.ts'

/**
 * The usual way as a process: `express-process.js FILE` sends the answers in FILE, each turned into text again, and
 * reports its port to its parent.
 */
const [file = ''] = process.argv.slice(2)
const app = express()
for (const { route, headers, body } of readAnswers(file)) {
  const isJson = headers['content-type']?.startsWith('application/json')
  const value: unknown = isJson ? JSON.parse(body) : body
  app.get(route, (_request, response) => {
    response.set(headers)
    if (isJson) response.json(value)
    else response.send(value)
  })
}
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
process.send?.({ topic: 'listening', url: `http://127.0.0.1:${port}` })
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
