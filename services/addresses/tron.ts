import { decodeBase58check, encodeBase58check } from './base58check.ts'

const PREFIX = 0x41
const LENGTH = 21
const HEX = /^(0x)?[0-9a-fA-F]{40}$/

export function tronProblem(address: string): string | undefined {
  const bytes = decodeBase58check(address)
  if (bytes?.length !== LENGTH || bytes[0] !== PREFIX) {
    return 'must be a Tron address: T and 33 more base58 characters, with a valid checksum'
  }
  return bytes.slice(1).every(byte => byte === 0)
    ? 'must not be the zero address: tokens sent there are lost'
    : undefined
}

/** Converts 20 bytes in hex to a Tron address (interface 4.18). @returns undefined for any other string */
export function tronAddress(hex: string): string | undefined {
  if (!HEX.test(hex)) return undefined
  return encodeBase58check(Uint8Array.of(PREFIX, ...Buffer.from(hex.replace(/^0x/, ''), 'hex')))
}
