import { createServer } from 'node:http'
import { serve } from './serve.ts'

/** A fee service that answers at once: `fee-process.js QUOTE` sends that text, and reports its port to its parent. */
const quote = Buffer.from(process.argv[2] ?? '')
const headers = { 'content-type': 'application/json', 'content-length': quote.length }
await serve(
  createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, headers).end(quote))
  })
)
