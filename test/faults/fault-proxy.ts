import type { Test } from 'tap'
import { forward, json, serve } from '../helpers/local-server.ts'

/** Starts a proxy for a node's RPC that resets connections on demand, and rejects WebSockets. */
export async function startFaultProxy(t: Test, target: string) {
  const failing = new Set<string>()

  const { url, seen } = await serve(t, async (request, response) => {
    if (request.method !== 'POST') return json(response, {}, 404)
    const { method } = JSON.parse(request.body)
    if (failing.has(method) || failing.has('*')) return response.socket?.resetAndDestroy()
    // The network might close before this proxy.
    const upstream = await forward(target, request).catch(() => undefined)
    return upstream ? json(response, upstream.body, upstream.status) : response.destroy()
  })
  return {
    url,
    calls: (method: string) => seen.filter(({ body }) => body.includes(`"${method}"`)).length,
    /** Resets the connection of further calls of a method, or of every method (`*`), before they reach the node. */
    fail: (method: string) => void failing.add(method),
    heal: () => failing.clear()
  }
}
