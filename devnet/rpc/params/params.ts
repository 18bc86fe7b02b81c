import { hexProblem } from '../../chain/hashes.ts'
import { GoJsonError, goKind, parseGoJson } from '../go-json.ts'

/** How a parameter's value is written, named as Go's errors name its type. `hex` is for bytes in hex, not base64. */
export type ParamType = 'string' | 'int' | 'int64' | 'uint' | 'bool' | '[]uint8' | 'types.Tx' | 'hex'

/** A method's parameters by name, in the order of their positions. */
export type ParamTypes = Readonly<Record<string, ParamType>>

export type ParamValue = string | number | boolean | Uint8Array | undefined

/** A request's parameters, read by name. A missing, empty or null parameter is undefined. */
export interface Params {
  string(name: string): string | undefined
  int(name: string): number | undefined
  /** False when missing. */
  bool(name: string): boolean
  bytes(name: string): Uint8Array | undefined
}

/** A value that does not fit its parameter; the message is a node's. */
export class ParamError extends Error {
  override name = 'ParamError'
}

export function readParams(values: ReadonlyMap<string, ParamValue>): Params {
  return {
    string(name) {
      const value = values.get(name)
      return typeof value === 'string' ? value : undefined
    },
    int(name) {
      const value = values.get(name)
      return typeof value === 'number' ? value : undefined
    },
    bool: name => values.get(name) === true,
    bytes(name) {
      const value = values.get(name)
      return value instanceof Uint8Array ? value : undefined
    }
  }
}

/** Decodes a parameter that is written as JSON. @throws ParamError */
export function decodeParam(type: ParamType, json: string): ParamValue {
  if (json === 'null') return undefined
  switch (type) {
    case 'int':
    case 'int64':
    case 'uint':
      return decodeInteger(type, json)
    case 'hex':
      if (!isQuoted(json)) throw new ParamError(`invalid hex string: ${json}`)
      return decodeHex(json.slice(1, -1))
    case 'bool': {
      const value = parse(json)
      return typeof value === 'boolean' ? value : fail(value, type)
    }
    case 'string': {
      const value = parse(json)
      return typeof value === 'string' ? value : fail(value, type)
    }
    case '[]uint8':
    case 'types.Tx': {
      const value = parse(json)
      return typeof value === 'string' ? decodeBase64(value) : fail(value, type)
    }
  }
}

/** Integers are strings of digits, because JavaScript's numbers do not hold all of them. */
function decodeInteger(type: 'int' | 'int64' | 'uint', json: string): number | undefined {
  if (!isQuoted(json)) {
    throw new ParamError(`invalid 64-bit integer encoding ${JSON.stringify(json)}, expected string`)
  }
  const digits = json.slice(1, -1)
  const value = parse(digits)
  if (value === null) return 0
  if (typeof value !== 'number') return fail(value, type)
  const fits = /^\s*-?\d+\s*$/.test(digits) && Number.isSafeInteger(value) && (type !== 'uint' || value >= 0)
  if (!fits)
    throw new ParamError(`json: cannot unmarshal number ${digits.trim()} into Go value of type ${type}`)
  return value
}

/** @throws ParamError with the position of the first character that is wrong */
function decodeBase64(text: string): Uint8Array {
  const padding = /={0,2}$/.exec(text)?.[0].length ?? 0
  const end = text.length - padding
  const wrong = text.search(/[^A-Za-z0-9+/\r\n]/)
  if (wrong >= 0 && wrong < end) throw base64Error(wrong)
  if (text.length % 4 !== 0) throw base64Error(padding > 0 ? text.length : end - (end % 4))
  return new Uint8Array(Buffer.from(text, 'base64'))
}

const base64Error = (at: number) => new ParamError(`illegal base64 data at input byte ${at}`)

/** @throws ParamError */
export function decodeHex(text: string): Uint8Array {
  const problem = hexProblem(text)
  if (problem !== undefined) throw new ParamError(problem)
  return new Uint8Array(Buffer.from(text, 'hex'))
}

function parse(json: string): unknown {
  try {
    return parseGoJson(json)
  } catch (error) {
    throw error instanceof GoJsonError ? new ParamError(error.message) : error
  }
}

const isQuoted = (json: string) => json.length >= 2 && json.startsWith('"') && json.endsWith('"')

function fail(value: unknown, type: ParamType): never {
  throw new ParamError(`json: cannot unmarshal ${goKind(value)} into Go value of type ${type}`)
}
