import { createServer } from 'node:http'
import express from 'express'
import { readAnswers } from './answers.ts'
import { serve } from './serve.ts'

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
await serve(createServer(app))
