import { sha256 } from '@cosmjs/crypto'
import { fromHex } from '@cosmjs/encoding'
import { createBase58check } from '@scure/base'
import type { Family } from './families.ts'
import type { PoolKeys } from './shapes.ts'

const TRON_PREFIX = 0x41
const HEX_ADDRESS = /^(0x)?[0-9a-fA-F]{40}$/

const base58check = createBase58check(sha256)

/**
 * A Tron address from its hex form: the same 20 bytes as an EVM address, with a prefix and a checksum in base58.
 * @returns undefined for what is not 20 bytes in hex
 */
export function tronAddress(hex: string): string | undefined {
  if (!HEX_ADDRESS.test(hex)) return undefined
  return base58check.encode(Uint8Array.of(TRON_PREFIX, ...fromHex(hex.replace(/^0x/, ''))))
}

/**
 * Where users of a chain send to, or whom they approve (spec §2, Pool addresses).
 * @returns an empty text for a chain that has no such address; undefined when its key is not of its kind
 */
export function poolAddress(family: Family, keys: PoolKeys): string | undefined {
  switch (family) {
    case 'EVM':
      return keys.ecdsa
    case 'SOL':
      return keys.eddsa
    case 'TRX':
      return tronAddress(keys.ecdsa)
    case 'BTC':
      return keys.reserved ?? ''
    case 'RAIL':
      return ''
  }
}
