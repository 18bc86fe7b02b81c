import { isAddress } from '@solana/addresses'
import { encodeBase58check } from '../addresses/base58check.ts'
import { isEvmAddress } from '../addresses/evm.ts'
import type { Family } from '../addresses/types.ts'
import type { PoolKeys } from './shapes.ts'

const TRON_PREFIX = 0x41
const HEX_ADDRESS = /^(0x)?[0-9a-fA-F]{40}$/

/**
 * The Tron form of a hex address: the same 20 bytes with a prefix and a checksum, in base58 (interface 4.19).
 * @returns undefined for anything but 20 bytes in hex
 */
export function tronAddress(hex: string): string | undefined {
  if (!HEX_ADDRESS.test(hex)) return undefined
  return encodeBase58check(Uint8Array.of(TRON_PREFIX, ...Buffer.from(hex.replace(/^0x/, ''), 'hex')))
}

/**
 * The address that users of a chain pay to, or approve as spender (interface 4.18).
 * @returns an empty text for a chain without such an address; undefined when its key is malformed
 */
export function poolAddress(family: Family, keys: PoolKeys): string | undefined {
  switch (family) {
    case 'EVM':
      return isEvmAddress(keys.ecdsa) ? keys.ecdsa : undefined
    case 'SOL':
      return isAddress(keys.eddsa) ? keys.eddsa : undefined
    case 'TRX':
      return tronAddress(keys.ecdsa)
    case 'BTC':
      return keys.reserved
    case 'FIAT':
      return ''
  }
}
