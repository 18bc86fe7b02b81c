import { fromBase64 } from '@cosmjs/encoding'
import { invalidParams, type RpcError } from '../json-rpc.ts'

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
