import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { freePort } from '../../packages/devnet/free-port.ts'
import { parseJson } from '../../services/json.ts'

/** A fault of a call. The node processes the call before the fault, except with `reset` and `rpc-error`. */
export type Fault =
  /** The response is dropped; the connection stays open. */
  | { kind: 'swallow' }
  /** The connection is reset before the response. */
  | { kind: 'cut' }
  /** The connection is reset before the call reaches the node. */
  | { kind: 'reset' }
  | { kind: 'delay'; ms: number }
  /** The node gets the call twice; the second response is returned. */
  | { kind: 'duplicate' }
  /** Half of the response is sent, then the connection ends. */
  | { kind: 'truncate' }
  /** The response is replaced with an HTML page and status 502. */
  | { kind: 'bad-gateway' }
  /** The response is replaced with the same page and status 200. */
  | { kind: 'html' }
  /** A JSON-RPC error with the `data` that the function returns; no fault if it returns undefined. */
  | { kind: 'rpc-error'; data: (params: Params) => string | undefined }

type Params = Readonly<Record<string, unknown>>

const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>'

/** Starts an HTTP proxy in front of a node's RPC that injects faults. The proxy closes when the test ends. */
export async function startFaultProxy(t: Test, target: string) {
  const node = new URL(target)
  const faults = new Map<string, { fault: Fault; left: number }>()
  const sockets = new Set<Socket>()
  const tunnels = new Set<{ client: Socket; upstream: Socket }>()
  let refusesWebSockets = false
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

  async function forward(path: string, body: string): Promise<{ status: number; text: string }> {
    const response = await fetch(new URL(path, node), { method: 'POST', body })
    return { status: response.status, text: await response.text() }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const { method, id, params } = callOf(body)
    const fault = faultOf(method)
    if (fault?.kind === 'reset') return void request.socket.resetAndDestroy()
    const data = fault?.kind === 'rpc-error' ? fault.data(params) : undefined
    if (data !== undefined) return sendError(response, id, data)
    if (fault?.kind === 'duplicate') await forward(request.url ?? '/', body)
    const { status, text } = await forward(request.url ?? '/', body)
    switch (fault?.kind) {
      case 'swallow':
        return
      case 'cut':
        return void request.socket.resetAndDestroy()
      case 'truncate':
        response.writeHead(status, { 'content-length': Buffer.byteLength(text) })
        return void response.write(text.slice(0, text.length / 2), () => response.destroy())
      case 'bad-gateway':
      case 'html':
        return send(response, fault.kind === 'html' ? 200 : 502, 'text/html', PAGE)
      case 'delay':
        await delay(fault.ms)
    }
    send(response, status, 'application/json', text)
  }

  function tunnel(request: IncomingMessage, client: Socket): void {
    if (refusesWebSockets) return void client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
    const upstream = connect(Number(node.port), node.hostname)
    const pair = { client, upstream }
    const headers = request.rawHeaders.flatMap((text, index, all) =>
      index % 2 === 0 ? [`${text}: ${all[index + 1]}`] : []
    )
    tunnels.add(pair)
    upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
    upstream.pipe(client).pipe(upstream)
    for (const end of [client, upstream]) {
      end.on('error', () => {})
      end.on('close', () => {
        tunnels.delete(pair)
        client.destroy()
        upstream.destroy()
      })
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (request: IncomingMessage, client: Socket) => tunnel(request, client))
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  const port = await freePort(node.hostname)
  async function listen(): Promise<void> {
    await once(server.listen(port, node.hostname), 'listening')
  }

  async function goDown(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await listen()
  t.teardown(goDown)

  return {
    url: `http://${node.hostname}:${port}`,
    get failed(): number {
      return failed
    },
    calls: (method: string) => calls.get(method) ?? 0,
    /** Fails the next `times` calls, or all further calls, of a method, or of every method (`*`). */
    fail(method: string, fault: Fault, times = Number.POSITIVE_INFINITY): void {
      faults.set(method, { fault, left: times })
    },
    heal: () => faults.clear(),
    goDown,
    comeBack: listen,
    refuseWebSockets(): void {
      refusesWebSockets = true
    },
    muteWebSockets(): void {
      for (const { client, upstream } of tunnels) {
        upstream.unpipe(client)
        upstream.resume()
      }
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function callOf(body: string): { method: string; id: unknown; params: Params } {
  const { method, id, params = {} } = Object(parseJson(body))
  return { method: String(method), id, params }
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}

function sendError(response: ServerResponse, id: unknown, data: string): void {
  const error = { code: -32603, message: 'Internal error', data }
  send(response, 200, 'application/json', JSON.stringify({ jsonrpc: '2.0', id, error }))
}
