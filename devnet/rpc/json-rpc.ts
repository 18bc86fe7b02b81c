/** JSON-RPC 2.0 as CometBFT speaks it: requests, responses and the five errors. */

import { goKind } from './go-json.ts'

/** The largest HTTP body and WebSocket message, as a node has it. */
export const MAX_REQUEST_BYTES = 1_000_000

export type RpcId = string | number

export interface RpcRequest {
  id: RpcId
  method: string
  params: unknown
}

interface RpcFailure {
  code: number
  message: string
  data?: string
}

/** An answer. It has no id when the request's could not be read. */
export type RpcResponse =
  | { jsonrpc: '2.0'; id: RpcId; result: unknown }
  | { jsonrpc: '2.0'; id?: RpcId; error: RpcFailure }

/** A failure with a JSON-RPC code; `message` is the cause, which becomes the error's `data`. */
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

export const parseError = (cause: string) =>
  new RpcError(-32700, 'Parse error. Invalid JSON', `error unmarshaling request: ${cause}`)
export const invalidRequest = (cause: string) => new RpcError(-32600, 'Invalid Request', cause)
export const methodNotFound = () => new RpcError(-32601, 'Method not found', '')
export const invalidParams = (cause: string) => new RpcError(-32602, 'Invalid params', cause)
export const internalError = (cause: string) => new RpcError(-32603, 'Internal error', cause)

export function successResponse(id: RpcId, result: unknown): RpcResponse {
  return { jsonrpc: '2.0', id, result }
}

/** A thrown value as a response; anything but an RpcError is an internal error (-32603). */
export function errorResponse(id: RpcId | undefined, thrown: unknown): RpcResponse {
  const error =
    thrown instanceof RpcError ? thrown : internalError(String(Reflect.get(Object(thrown), 'message')))
  const { code, title, message } = error
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message: title, ...(message !== '' && { data: message }) }
  }
}

/** How Go prints the type that a node reads requests into. */
const REQUEST_TYPE =
  'struct { JSONRPC string "json:\\"jsonrpc\\""; ID interface {} "json:\\"id,omitempty\\""; ' +
  'Method string "json:\\"method\\""; Params json.RawMessage "json:\\"params\\"" }'

/**
 * @returns undefined for a notification (no id), which a node neither executes nor answers
 * @throws RpcError (-32700)
 */
export function parseRequest(value: unknown): RpcRequest | undefined {
  if (value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw parseError(`json: cannot unmarshal ${goKind(value)} into Go value of type ${REQUEST_TYPE}`)
  }
  for (const [name, field] of Object.entries(value)) {
    const isText = typeof field === 'string' || field === null
    if ((name === 'jsonrpc' || name === 'method') && !isText) {
      throw parseError(`json: cannot unmarshal ${goKind(field)} into Go struct field .${name} of type string`)
    }
  }
  const id = 'id' in value ? value.id : undefined
  if (id === undefined || id === null) return undefined
  const method = 'method' in value && typeof value.method === 'string' ? value.method : ''
  return { id: readId(id), method, params: 'params' in value ? value.params : undefined }
}

/** @throws RpcError (-32700) */
export function parseRequests(values: readonly unknown[]): (RpcRequest | undefined)[] {
  try {
    return values.map(parseRequest)
  } catch {
    throw parseError(`json: cannot unmarshal array into Go value of type ${REQUEST_TYPE}`)
  }
}

/** A text or a number, which is cut to an integer. */
function readId(id: unknown): RpcId {
  if (typeof id === 'string') return id
  if (typeof id === 'number') return Math.abs(id) < 2 ** 63 ? Math.trunc(id) : -(2 ** 63)
  if (typeof id === 'boolean') throw parseError(`json-rpc ID (${id}) is of unknown type (bool)`)
  if (Array.isArray(id)) {
    throw parseError(`json-rpc ID ([${id.join(' ')}]) is of unknown type ([]interface {})`)
  }
  const fields = Object.entries(Object(id)).map(([name, value]) => `${name}:${value}`)
  throw parseError(`json-rpc ID (map[${fields.join(' ')}]) is of unknown type (map[string]interface {})`)
}
