import type { Test } from 'tap'
import { json, serve } from './local-server.ts'

/** The result of a JSON-RPC method; its shape depends on the method. */
export type RpcResult = Record<string, unknown>

/** Changes a result, perhaps later. @returns the changed result, or undefined to keep the node's */
export type Rewrite = (
  method: string,
  result: RpcResult,
  params: RpcResult
) => RpcResult | undefined | Promise<RpcResult | undefined>

/** A proxy of a node's RPC that changes some results and refuses WebSockets; closed when the test ends. */
export async function startRewritingNode(t: Test, target: string, rewrite: Rewrite): Promise<string> {
  const { url } = await serve(t, async (request, response) => {
    if (request.method !== 'POST') return json(response, {}, 404)
    // The network may be closed before this node is.
    const upstream = await fetch(target, { method: 'POST', body: request.body }).catch(() => undefined)
    if (!upstream) return json(response, {}, 502)
    const answer = (await upstream.json()) as { result?: RpcResult }
    const { method, params = {} } = JSON.parse(request.body)
    const changed = answer.result && (await rewrite(method, answer.result, params))
    json(response, changed ? { ...answer, result: changed } : answer)
  })
  return url
}
