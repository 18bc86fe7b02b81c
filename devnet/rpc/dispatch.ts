import {
  errorResponse,
  methodNotFound,
  parseRequest,
  type RpcId,
  type RpcResponse,
  successResponse
} from './json-rpc.ts'
import { jsonParams } from './params/json-params.ts'
import type { Params } from './params/params.ts'

/** An RPC method: its parameters in order, and the function that returns a JSON value or a promise of one. */
export interface Method {
  params: readonly string[]
  call(params: Params, id: RpcId): unknown
}

/** The methods of one family by name, as its file lists them. */
export type Methods = Record<string, Method>

export type MethodTable = ReadonlyMap<string, Method>

/** A request of any transport. `params` reads its parameters, given the method's names for them. */
export interface RpcCall {
  id: RpcId
  method: string
  params(names: readonly string[]): Params
}

/**
 * Answers one request. Every request of every transport goes through here, and whatever is thrown becomes a JSON-RPC
 * error.
 */
export async function dispatch(methods: MethodTable, call: RpcCall): Promise<RpcResponse> {
  try {
    const method = methods.get(call.method)
    if (method === undefined) throw methodNotFound()
    return successResponse(call.id, await method.call(call.params(method.params), call.id))
  } catch (error) {
    return errorResponse(call.id, error)
  }
}

/** Answers one request that came as JSON; undefined for a notification. */
export async function answerRequest(methods: MethodTable, value: unknown): Promise<RpcResponse | undefined> {
  try {
    const request = parseRequest(value)
    if (request === undefined) return undefined
    const { id, method, params } = request
    return await dispatch(methods, { id, method, params: names => jsonParams(params, names) })
  } catch (error) {
    return errorResponse(null, error)
  }
}
