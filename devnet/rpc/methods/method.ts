import type { RpcId } from '../json-rpc.ts'
import type { Params } from '../params/params.ts'

/** One RPC method: the names of its parameters in their order, and what answers it (a JSON value or a promise of one). */
export interface Method {
  params: readonly string[]
  call(params: Params, id: RpcId): unknown
}

/** Methods by name: one family's, as its file lists them. */
export type Methods = Record<string, Method>

export type MethodTable = ReadonlyMap<string, Method>
