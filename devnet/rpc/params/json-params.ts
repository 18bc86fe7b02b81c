import { goKind } from '../go-json.ts'
import {
  decodeParam,
  ParamError,
  type Params,
  type ParamTypes,
  type ParamValue,
  readParams
} from './params.ts'

/** A mistake that a node does not catch: its handler panics. The message is the panic's. */
export class RpcPanic extends Error {
  override name = 'RpcPanic'
}

/**
 * The `params` of a JSON-RPC request, named (an object) or positional (an array as long as `types`).
 * As in CometBFT, integers must be strings: `{"height": "5"}`.
 * @throws ParamError
 * @throws RpcPanic when there are none although the method has some
 */
export function jsonParams(params: unknown, types: ParamTypes): Params {
  const names = Object.keys(types)
  if (params === undefined && names.length > 0) {
    throw new RpcPanic('reflect: Call with too few input arguments')
  }
  const given = byName(params, names)
  const values = new Map<string, ParamValue>()
  for (const [name, type] of Object.entries(types)) {
    if (given.has(name)) values.set(name, decodeParam(type, JSON.stringify(given.get(name))))
  }
  return readParams(values)
}

function byName(params: unknown, names: readonly string[]): Map<string, unknown> {
  if (params === undefined || params === null) return new Map()
  if (Array.isArray(params)) {
    if (params.length !== names.length) {
      const bytes = params.map(value => `[${Buffer.from(JSON.stringify(value)).join(' ')}]`)
      throw new ParamError(
        `expected ${names.length} parameters ([${names.join(' ')}]), got ${params.length} ([${bytes.join(' ')}])`
      )
    }
    return new Map(names.map((name, index) => [name, params[index]]))
  }
  if (typeof params === 'object') return new Map(Object.entries(params))
  const problem = `json: cannot unmarshal ${goKind(params)} into Go value of type []json.RawMessage`
  throw new ParamError(`unknown type for JSON params: ${problem}. Expected map or array`)
}
