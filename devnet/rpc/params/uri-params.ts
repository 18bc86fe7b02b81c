import { toUtf8 } from '@cosmjs/encoding'
import {
  decodeHex,
  decodeParam,
  ParamError,
  type Params,
  type ParamType,
  type ParamTypes,
  type ParamValue,
  readParams
} from './params.ts'

/**
 * The query string of a GET request in CometBFT's form: numbers and booleans bare, strings in double quotes, bytes as
 * `0x` hex or as the characters of a quoted string.
 * @throws ParamError
 */
export function uriParams(query: URLSearchParams, types: ParamTypes): Params {
  const values = new Map<string, ParamValue>()
  for (const [name, type] of Object.entries(types)) {
    const text = query.get(name)
    if (text) values.set(name, decodeUriParam(type, text))
  }
  return readParams(values)
}

function decodeUriParam(type: ParamType, text: string): ParamValue {
  const isInteger = type === 'int' || type === 'int64' || type === 'uint'
  if (isInteger && /^-?\d+$/.test(text)) return decodeParam(type, `"${text}"`)
  if (/^0x/i.test(text)) {
    if (isInteger || type === 'bool') throw new ParamError(`got a hex string arg, but expected '${type}'`)
    const bytes = decodeHex(text.slice(2))
    return type === 'string' ? Buffer.from(bytes).toString() : bytes
  }
  if (isInteger || type === 'bool' || type === 'string' || !/^".*"$/s.test(text))
    return decodeParam(type, text)
  const characters = decodeParam('string', text)
  return typeof characters === 'string' ? toUtf8(characters) : undefined
}
