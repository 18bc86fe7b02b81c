import { fromUtf8, toUtf8 } from '@cosmjs/encoding'
import { badParam, decodeHex, decodeInt, type Params } from './params.ts'

/**
 * The query string of a GET request in CometBFT's form: numbers and booleans bare, strings in double quotes, bytes as
 * `0x` hex or as the characters of a quoted string.
 */
export function uriParams(query: URLSearchParams): Params {
  const given = (name: string): string | undefined => query.get(name) || undefined

  function bytes(name: string): Uint8Array | undefined {
    const value = given(name)
    if (value === undefined) return undefined
    return /^0x/i.test(value) ? decodeHex(name, value.slice(2)) : toUtf8(unquote(name, value))
  }

  return {
    string(name) {
      const value = given(name)
      if (value === undefined) return undefined
      return /^0x/i.test(value) ? fromUtf8(decodeHex(name, value.slice(2)), true) : unquote(name, value)
    },
    int(name) {
      const value = given(name)
      return value === undefined ? undefined : decodeInt(name, value.replace(/^"(.*)"$/, '$1'))
    },
    bool(name) {
      const value = given(name) ?? 'false'
      if (value !== 'true' && value !== 'false') throw badParam(name, `expected true or false, got ${value}`)
      return value === 'true'
    },
    bytes,
    hex: bytes
  }
}

function unquote(name: string, value: string): string {
  try {
    const text: unknown = JSON.parse(value)
    if (typeof text === 'string') return text
  } catch {
    // The error below says what was expected.
  }
  throw badParam(name, `expected a string in double quotes or 0x hex, got ${value}`)
}
