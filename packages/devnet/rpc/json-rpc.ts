/** JSON-RPC 2.0 as implemented by CometBFT. */

import { ParamError, Params } from './params.ts'

/** A node's limit for HTTP bodies and WebSocket messages. */
export const MAX_REQUEST_BYTES = 1_000_000

export type RpcId = string | number

/** Methods by name. A method returns a JSON value. */
export type Methods = Record<string, (params: Params, id: RpcId) => unknown>

export interface RpcRequest {
  id: RpcId
  method: string
  params: unknown
}

/** A response. `id` is missing if the request's id is unknown. */
export interface RpcResponse {
  jsonrpc: '2.0'
  id?: RpcId
  result?: unknown
  error?: { code: number; message: string; data?: string }
}

/** An error with a JSON-RPC code. `message` is the cause, which is sent as the error's `data`. */
class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly title: string

  constructor(code: number, title: string, cause: string) {
    super(cause)
    this.code = code
    this.title = title
  }
}

const parseError = (cause: string) => new RpcError(-32700, 'Parse error. Invalid JSON', cause)
export const invalidRequest = (cause: string) => new RpcError(-32600, 'Invalid Request', cause)

export function successResponse(id: RpcId, result: unknown): RpcResponse {
  return { jsonrpc: '2.0', id, result }
}

function rpcErrorOf(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown
  const cause = thrown instanceof Error ? thrown.message : String(thrown)
  if (thrown instanceof ParamError) return new RpcError(-32602, 'Invalid params', cause)
  return new RpcError(-32603, 'Internal error', cause)
}

export function errorResponse(id: RpcId | undefined, thrown: unknown): RpcResponse {
  const { code, title, message } = rpcErrorOf(thrown)
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message: title, ...(message !== '' && { data: message }) }
  }
}

/** Handles a request, from any transport. */
export function dispatch(methods: Methods, { id, method, params }: RpcRequest): RpcResponse {
  try {
    const call = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (call === undefined) throw new RpcError(-32601, 'Method not found', '')
    return successResponse(id, call(new Params(params), id))
  } catch (error) {
    return errorResponse(id, error)
  }
}

/** @returns undefined for a notification (no id), which nodes ignore @throws RpcError (-32700) */
export function parseRequest(value: unknown): RpcRequest | undefined {
  if (typeof value !== 'object' || value === null) throw parseError('the request is not an object')
  const { id, method, params } = value as Record<string, unknown>
  if (id === undefined || id === null) return undefined
  if (typeof id !== 'string' && typeof id !== 'number')
    throw parseError('the id is neither a string nor a number')
  if (typeof method !== 'string') throw parseError('the method is not a string')
  return { id, method, params }
}

/** @throws RpcError (-32700) */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw parseError(error instanceof Error ? error.message : String(error))
  }
}
