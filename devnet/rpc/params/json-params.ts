import { invalidParams } from '../json-rpc.ts'
import { badParam, decodeBase64, decodeHex, decodeInt, type Params } from './params.ts'

/**
 * The `params` of a JSON-RPC request, named (an object) or positional (an array as long as `names`).
 * As in CometBFT, integers must be strings: `{"height": "5"}`.
 * @throws RpcError (-32602)
 */
export function jsonParams(params: unknown, names: readonly string[]): Params {
  const values = byName(params, names)

  function text(name: string, expected: string): string | undefined {
    const value = values.get(name)
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string') throw badParam(name, `expected ${expected}, got ${JSON.stringify(value)}`)
    return value
  }

  return {
    string: name => text(name, 'a string'),
    int(name) {
      const digits = text(name, 'an integer encoded as a string')
      return digits === undefined ? undefined : decodeInt(name, digits)
    },
    bool(name) {
      const value = values.get(name) ?? false
      if (typeof value !== 'boolean') throw badParam(name, `expected a boolean, got ${JSON.stringify(value)}`)
      return value
    },
    bytes(name) {
      const base64 = text(name, 'a base64 string')
      return base64 === undefined ? undefined : decodeBase64(name, base64)
    },
    hex(name) {
      const hex = text(name, 'a hex string')
      return hex === undefined ? undefined : decodeHex(name, hex)
    }
  }
}

function byName(params: unknown, names: readonly string[]): Map<string, unknown> {
  if (params === undefined || params === null) return new Map()
  if (Array.isArray(params)) {
    if (params.length !== names.length) {
      throw invalidParams(
        `error converting json params to arguments: expected ${names.length} parameters ([${names.join(' ')}]), got ${params.length}`
      )
    }
    return new Map(names.map((name, index) => [name, params[index]]))
  }
  if (typeof params === 'object') return new Map(Object.entries(params))
  throw invalidParams('unknown type for JSON params. Expected map or array')
}
