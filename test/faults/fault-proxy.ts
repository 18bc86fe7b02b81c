import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Test } from 'tap'
import { parseJson } from '../../services/json.ts'
import { forward, json, type SeenRequest, serve } from '../helpers/local-server.ts'

/** Starts a proxy for a node's RPC that resets connections on demand, and passes WebSockets on. */
export async function startFaultProxy(t: Test, target: string) {
  const failing = new Set<string>()
  const calls = new Map<string, number>()

  async function handle(request: SeenRequest, response: ServerResponse): Promise<void> {
    const method = String(Object(parseJson(request.body)).method)
    calls.set(method, (calls.get(method) ?? 0) + 1)
    if (failing.has(method) || failing.has('*')) return void response.socket?.resetAndDestroy()
    const { status, body } = await forward(target, request)
    json(response, body, status)
  }

  function tunnel({ url, rawHeaders }: IncomingMessage, client: Socket): void {
    const { hostname, port } = new URL(target)
    const node = connect(Number(port), hostname)
    const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`))
    node.write(`GET ${url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    pipeline(client, node, client, () => {})
    t.teardown(() => client.destroy())
  }

  const { url, server } = await serve(t, (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', tunnel)
  return {
    url,
    calls: (method: string) => calls.get(method) ?? 0,
    /** Resets the connection of further calls of a method, or of every method (`*`), before they reach the node. */
    fail: (method: string) => void failing.add(method),
    heal: () => failing.clear()
  }
}
