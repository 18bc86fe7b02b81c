import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export type LocalServer = Awaited<ReturnType<typeof serve>>

/** Starts an HTTP server on a free port. It closes when the test ends. */
export async function serve(t: Test, answer: (request: SeenRequest, response: ServerResponse) => void) {
  const seen: SeenRequest[] = []
  let connections = 0
  async function listener(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() }
    seen.push(request)
    answer(request, response)
  }
  const server = createServer(listener).on('connection', () => ++connections)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  t.teardown(close)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server, seen, connections: () => connections, close }
}

/** Forwards a request to an upstream. @returns the status and the JSON body of its response */
export async function forward(url: string, { method, body }: Pick<SeenRequest, 'method' | 'body'>) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, ...(body !== '' && { body }) })
  return { status: response.status, body: Object(await response.json()) }
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
