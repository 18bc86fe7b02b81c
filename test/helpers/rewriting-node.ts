import type { Test } from 'tap'
import { json, serve } from './local-server.ts'

/** A result of a JSON-RPC method as the node gave it; a test reaches into it by paths of its own. */
export type RpcResult = Record<string, unknown>

/** Answers in place of the node. @returns the changed result, or undefined to leave it as it is */
export type Rewrite = (method: string, result: RpcResult) => RpcResult | undefined

/** A node in front of another that changes some of its answers; closed with the test. Its WebSocket is refused. */
export async function startRewritingNode(t: Test, target: string, rewrite: Rewrite): Promise<string> {
  const { url } = await serve(t, async (request, response) => {
    if (request.method !== 'POST') return json(response, {}, 404)
    const upstream = await fetch(target, { method: 'POST', body: request.body })
    const answer = (await upstream.json()) as { result?: RpcResult }
    const { method } = JSON.parse(request.body)
    const changed = answer.result && rewrite(method, answer.result)
    json(response, changed ? { ...answer, result: changed } : answer)
  })
  return url
}
