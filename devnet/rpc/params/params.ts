import { fromBase64 } from '@cosmjs/encoding'
import { invalidParams, type RpcError } from '../json-rpc.ts'

/**
 * A request's parameters, read by name and type. A missing or empty parameter is undefined. Each reader throws an
 * RpcError (-32602) that names the parameter when its value has another type.
 */
export interface Params {
  string(name: string): string | undefined
  /** An int or int64: a string of digits on the wire. */
  int(name: string): number | undefined
  /** False when missing. */
  bool(name: string): boolean
  /** Bytes that JSON carries as base64: transactions and hashes. */
  bytes(name: string): Uint8Array | undefined
  /** Bytes that JSON carries as hex: the data of an ABCI query. */
  hex(name: string): Uint8Array | undefined
}

export function badParam(name: string, problem: string): RpcError {
  return invalidParams(`error converting params to arguments: ${name}: ${problem}`)
}

/** @throws RpcError unless `digits` is an integer that a number holds exactly */
export function decodeInt(name: string, digits: string): number {
  const value = Number(digits)
  if (!/^-?\d+$/.test(digits)) throw badParam(name, `invalid integer ${JSON.stringify(digits)}`)
  if (!Number.isSafeInteger(value)) throw badParam(name, `integer ${digits} is out of range`)
  return value
}

export function decodeBase64(name: string, text: string): Uint8Array {
  try {
    return fromBase64(text)
  } catch {
    throw badParam(name, 'illegal base64 data')
  }
}

export function decodeHex(name: string, text: string): Uint8Array {
  if (text.length % 2 !== 0 || /[^0-9a-f]/i.test(text)) throw badParam(name, 'illegal hex data')
  return new Uint8Array(Buffer.from(text, 'hex'))
}
