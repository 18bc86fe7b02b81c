import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Test } from 'tap'
import { parseJson } from '../../services/json.ts'
import { forward, json, type SeenRequest, serve } from '../helpers/local-server.ts'

/** A fault of a call. The node processes the call before the fault, except with `reset` and `rpc-error`. */
export type Fault =
  /** The response is dropped; the connection stays open. */
  | { kind: 'swallow' }
  /** The connection is reset before the response. */
  | { kind: 'cut' }
  /** The connection is reset before the call reaches the node. */
  | { kind: 'reset' }
  /** Half of the response is sent, then the connection ends. */
  | { kind: 'truncate' }
  /** The response is replaced with an HTML page and this status. */
  | { kind: 'html'; status: number }
  /** A JSON-RPC error with the `data` that the function returns; no fault if it returns undefined. */
  | { kind: 'rpc-error'; data: (params: Params) => string | undefined }

type Params = Readonly<Record<string, unknown>>

const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>'

/** Starts a proxy for a node's RPC that injects faults and passes WebSockets on. It closes when the test ends. */
export async function startFaultProxy(t: Test, target: string) {
  const faults = new Map<string, { fault: Fault; left: number }>()
  const calls = new Map<string, number>()
  let failed = 0

  function faultOf(method: string): Fault | undefined {
    calls.set(method, (calls.get(method) ?? 0) + 1)
    const entry = faults.get(method) ?? faults.get('*')
    if (!entry || entry.left === 0) return undefined
    entry.left -= 1
    failed += 1
    return entry.fault
  }

  async function handle(request: SeenRequest, response: ServerResponse): Promise<void> {
    const { id, method, params = {} } = Object(parseJson(request.body))
    const fault = faultOf(String(method))
    if (fault?.kind === 'reset') return void response.socket?.resetAndDestroy()
    const data = fault?.kind === 'rpc-error' ? fault.data(params) : undefined
    if (data !== undefined) {
      const error = { code: -32603, message: 'Internal error', data }
      return json(response, { jsonrpc: '2.0', id, error })
    }
    const { status, body } = await forward(target, request)
    const text = JSON.stringify(body)
    switch (fault?.kind) {
      case 'swallow':
        return
      case 'cut':
        return void response.socket?.resetAndDestroy()
      case 'truncate':
        response.writeHead(status, { 'content-length': Buffer.byteLength(text) })
        return void response.write(text.slice(0, text.length / 2), () => response.destroy())
      case 'html':
        return void response.writeHead(fault.status, { 'content-type': 'text/html' }).end(PAGE)
    }
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
    get failed(): number {
      return failed
    },
    calls: (method: string) => calls.get(method) ?? 0,
    /** Fails the next `times` calls, or all further calls, of a method, or of every method (`*`). */
    fail(method: string, fault: Fault, times = Number.POSITIVE_INFINITY): void {
      faults.set(method, { fault, left: times })
    },
    heal: () => faults.clear()
  }
}
