import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { isAddress } from '@solana/addresses'
import type { Family } from './families.ts'
import type { PoolKeys } from './shapes.ts'

const TRON_PREFIX = 0x41
const HEX_ADDRESS = /^(0x)?[0-9a-fA-F]{40}$/
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

const base58check = createBase58check(sha256)

/**
 * The Tron form of a hex address: the same 20 bytes with a prefix and a checksum, in base58 (interface 4.19).
 * @returns undefined for anything but 20 bytes in hex
 */
export function tronAddress(hex: string): string | undefined {
  if (!HEX_ADDRESS.test(hex)) return undefined
  return base58check.encode(Uint8Array.of(TRON_PREFIX, ...Buffer.from(hex.replace(/^0x/, ''), 'hex')))
}

/**
 * The address that users of a chain pay to, or approve as spender (interface 4.18).
 * @returns an empty text for a chain without such an address; undefined when its key is malformed
 */
export function poolAddress(family: Family, keys: PoolKeys): string | undefined {
  switch (family) {
    case 'EVM':
      return EVM_ADDRESS.test(keys.ecdsa) ? keys.ecdsa : undefined
    case 'SOL':
      return isAddress(keys.eddsa) ? keys.eddsa : undefined
    case 'TRX':
      return tronAddress(keys.ecdsa)
    case 'BTC':
      return keys.reserved
    case 'RAIL':
      return ''
  }
}
