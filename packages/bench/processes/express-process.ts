import { readFileSync } from 'node:fs'
import express from 'express'
import type { Answer } from './answer.ts'

/** Runs Express: `express-process.js FILE` serves the responses in FILE, with `res.json` if they are JSON. */
const [file = ''] = process.argv.slice(2)
const answers: Answer[] = JSON.parse(readFileSync(file, 'utf8'))
const app = express()
for (const { path, headers, body } of answers) {
  const isJson = headers['content-type']?.startsWith('application/json')
  const value: unknown = isJson ? JSON.parse(body) : body
  app.get(path, (_request, response) => {
    response.set(headers)
    if (isJson) response.json(value)
    else response.send(value)
  })
}
const server = app.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
