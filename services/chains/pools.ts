import { isAddress } from '@solana/addresses'
import type { Chain, Pool, PoolBalanceView } from '../../schemas/chains.ts'
import { encodeBase58check } from '../addresses/base58check.ts'
import { isEvmAddress } from '../addresses/evm.ts'
import type { Family } from '../addresses/types.ts'
import { plainDecimal } from '../amounts.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { family } from './families.ts'
import type { PoolBalance, PoolKeys } from './shapes.ts'

const TRON_PREFIX = 0x41
const HEX_ADDRESS = /^(0x)?[0-9a-fA-F]{40}$/

/**
 * Converts a hex address to Tron's format: the same 20 bytes with a prefix and a checksum, in base58 (interface 4.19).
 * @returns undefined unless the input is 20 bytes in hex
 */
export function tronAddress(hex: string): string | undefined {
  if (!HEX_ADDRESS.test(hex)) return undefined
  return encodeBase58check(Uint8Array.of(TRON_PREFIX, ...Buffer.from(hex.replace(/^0x/, ''), 'hex')))
}

/**
 * Returns the address that users of a chain pay to or approve as spender (interface 4.18).
 * @returns an empty string for a chain without such an address; undefined if its key is malformed
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

/** Converts a balance for clients, with every value as a string (interface 4.15). */
export function readBalance({ index, chainName, balance, nativeGasAmount }: PoolBalance): PoolBalanceView {
  return {
    index: String(index),
    chainName,
    balance: balance.map(({ amount, tokenSymbol, decimal }) => ({
      amount: plainDecimal(String(amount)),
      tokenSymbol,
      decimal: String(decimal)
    })),
    nativeGasAmount: plainDecimal(String(nativeGasAmount))
  }
}

/**
 * Returns the pools of the chains, without the rails (interface 4.16 and 4.18). A pool without a balance entry counts
 * as empty.
 * @param source name of the upstream, for the error
 * @throws UpstreamError for a missing or malformed key
 */
export function pools(
  chains: Chain[],
  keys: PoolKeys | undefined,
  balances: readonly Omit<Pool, 'poolAddress'>[],
  source: string
): Pool[] {
  if (keys === undefined) throw new UpstreamError(source, 'the response contains no pool keys')
  return chains.flatMap(({ shortName }) => {
    const kind = family(shortName)
    if (kind === undefined || kind === 'FIAT') return []
    const address = poolAddress(kind, keys)
    if (address === undefined) throw new UpstreamError(source, `the pool key for ${shortName} is malformed`)
    const { balance, nativeGasAmount } = balances.find(({ chainName }) => chainName === shortName) ?? EMPTY
    return [{ chainName: shortName, poolAddress: address, balance, nativeGasAmount }]
  })
}

const EMPTY: Pick<Pool, 'balance' | 'nativeGasAmount'> = { balance: [], nativeGasAmount: '0' }
