/** JSON-RPC 2.0 as implemented by CometBFT, for single requests with an id. */

/** A node's limit for HTTP bodies and WebSocket messages. */
export const MAX_REQUEST_BYTES = 1_000_000

export type RpcId = string | number

/** Methods by name. A method returns a JSON value. */
export type Methods = Record<string, (params: Params, id: RpcId) => unknown>

export interface RpcResponse {
  jsonrpc: '2.0'
  id?: RpcId
  result?: unknown
  error?: { code: number; message: string; data?: string }
}

/** The named parameters of a request. Numbers are digit strings, as in CometBFT: `{"height": "5"}`. */
export type Params = Readonly<Record<string, string | undefined>>

export function successResponse(id: RpcId, result: unknown): RpcResponse {
  return { jsonrpc: '2.0', id, result }
}

/** Responds to the text of a request, from any transport. Every failure is an internal error with its cause. */
export function respond(methods: Methods, text: string): RpcResponse {
  let id: RpcId = -1
  try {
    const request = JSON.parse(text)
    id = request.id
    const call = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
    if (call === undefined) throw new Error(`there is no method ${request.method}`)
    return successResponse(id, call(request.params ?? {}, id))
  } catch (error) {
    const data = error instanceof Error ? error.message : String(error)
    return { jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error', data } }
  }
}
