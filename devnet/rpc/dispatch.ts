import {
  errorResponse,
  internalError,
  invalidParams,
  methodNotFound,
  type RpcId,
  type RpcRequest,
  type RpcResponse,
  successResponse
} from './json-rpc.ts'
import { jsonParams, RpcPanic } from './params/json-params.ts'
import { ParamError, type Params, type ParamTypes } from './params/params.ts'

/** An RPC method: its parameters, and the function that returns a JSON value or a promise of one. */
export interface Method {
  params: ParamTypes
  call(params: Params, id: RpcId): unknown
}

/** The methods of one family by name, as its file lists them. */
export type Methods = Record<string, Method>

export type MethodTable = ReadonlyMap<string, Method>

/** The id of answers to requests without one, which have the method in the path, and of answers after a panic. */
export const NO_ID = -1

/** A request of any transport. */
export interface RpcCall {
  id: RpcId
  method: string
  /** Reads the parameters. @throws ParamError */
  params(types: ParamTypes): Params
  /** What a parameter that cannot be read is answered with. */
  paramsError(problem: string): Error
}

/**
 * Answers one request. Every request of every transport goes through here, and whatever is thrown becomes a JSON-RPC
 * error.
 * @throws RpcPanic, which ends the whole HTTP request on a node
 */
export async function dispatch(methods: MethodTable, call: RpcCall): Promise<RpcResponse> {
  try {
    const method = methods.get(call.method)
    if (method === undefined) throw methodNotFound()
    return successResponse(call.id, await method.call(call.params(method.params), call.id))
  } catch (error) {
    if (error instanceof RpcPanic) throw error
    return errorResponse(call.id, error instanceof ParamError ? call.paramsError(error.message) : error)
  }
}

/** A request that came as JSON in a POST body. */
export function postedCall(request: RpcRequest): RpcCall {
  return jsonCall(request, invalidParams)
}

/** A request that came over a WebSocket, where wrong parameters are an internal error. */
export function socketCall(request: RpcRequest): RpcCall {
  return jsonCall(request, internalError)
}

function jsonCall({ id, method, params }: RpcRequest, error: (cause: string) => Error): RpcCall {
  return {
    id,
    method,
    params: types => jsonParams(params, types),
    paramsError: problem => error(`error converting json params to arguments: ${problem}`)
  }
}
