import type { Test } from 'tap'
import { forward, json, serve } from './local-server.ts'

/** The result of a JSON-RPC method; its shape depends on the method. */
export type RpcResult = Record<string, unknown>

/** Changes a result, possibly asynchronously. @returns the changed result, or undefined to keep the node's */
export type Rewrite = (
  method: string,
  result: RpcResult,
  params: RpcResult
) => RpcResult | undefined | Promise<RpcResult | undefined>

/** Changes each transaction result in a block. */
export const inResults =
  (change: (result: RpcResult, height: unknown) => RpcResult): Rewrite =>
  (method, result) => {
    const results = result['txs_results']
    if (method !== 'block_results' || !Array.isArray(results)) return undefined
    return { ...result, txs_results: results.map(one => change(one, result['height'])) }
  }

/** Starts a proxy for a node's RPC that changes some results and rejects WebSockets. It closes when the test ends. */
export async function startRewritingNode(t: Test, target: string, rewrite: Rewrite): Promise<string> {
  const { url } = await serve(t, async (request, response) => {
    if (request.method !== 'POST') return json(response, {}, 404)
    const { method, params = {} } = JSON.parse(request.body)
    // The network might close before this proxy.
    const upstream = await forward(target, request).catch(() => undefined)
    if (!upstream) return json(response, {}, 502)
    const { body } = upstream
    const changed = body.result && (await rewrite(method, body.result, params))
    json(response, changed ? { ...body, result: changed } : body)
  })
  return url
}
