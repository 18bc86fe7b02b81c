/** JSON-RPC 2.0 as CometBFT speaks it: requests, responses and the five errors. */

/** The largest HTTP body and WebSocket message, as a node has it. */
export const MAX_REQUEST_BYTES = 1_000_000

export type RpcId = string | number

export interface RpcRequest {
  id: RpcId
  method: string
  params: unknown
}

export type RpcResponse =
  | { jsonrpc: '2.0'; id: RpcId | null; result: unknown }
  | { jsonrpc: '2.0'; id: RpcId | null; error: { code: number; message: string; data?: string } }

/** A failure with a JSON-RPC code; `message` is the cause, which becomes the error's `data`. */
export class RpcError extends Error {
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
export const methodNotFound = () => new RpcError(-32601, 'Method not found', '')
export const invalidParams = (cause: string) => new RpcError(-32602, 'Invalid params', cause)

export function successResponse(id: RpcId, result: unknown): RpcResponse {
  return { jsonrpc: '2.0', id, result }
}

/** A thrown value as a response; anything but an RpcError is an internal error (-32603). */
export function errorResponse(id: RpcId | null, thrown: unknown): RpcResponse {
  const cause = thrown instanceof Error ? thrown.message : String(thrown)
  const { code, title } = thrown instanceof RpcError ? thrown : { code: -32603, title: 'Internal error' }
  return { jsonrpc: '2.0', id, error: { code, message: title, ...(cause !== '' && { data: cause }) } }
}

/** @throws RpcError (-32700) */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw parseError(`error unmarshaling request: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * @returns undefined for a notification (no id), which a node neither executes nor answers
 * @throws RpcError (-32600)
 */
export function parseRequest(value: unknown): RpcRequest | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('a request must be a JSON object')
  }
  const id = 'id' in value ? value.id : undefined
  const method = 'method' in value ? value.method : undefined
  if (id === undefined || id === null) return undefined
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isInteger(id))) {
    throw invalidRequest('the id must be a string or an integer')
  }
  if (typeof method !== 'string') throw invalidRequest('the method must be a string')
  return { id, method, params: 'params' in value ? value.params : undefined }
}
