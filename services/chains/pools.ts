import type { Chain, Pool, PoolBalanceView, PoolKeys } from '../../schemas/chains.ts'
import { isEvmAddress } from '../addresses/evm.ts'
import type { Family } from '../addresses/index.ts'
import { solanaKey } from '../addresses/solana.ts'
import { tronAddress } from '../addresses/tron.ts'
import { plainDecimal } from '../amounts.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { family } from './families.ts'
import type { PoolBalance } from './shapes.ts'

/** @returns an empty string for a chain without a pool address (interface 4.18); undefined if its key is malformed */
export function poolAddress(family: Family, keys: PoolKeys): string | undefined {
  switch (family) {
    case 'EVM':
      return isEvmAddress(keys.ecdsa) ? keys.ecdsa : undefined
    case 'SOL':
      return solanaKey(keys.eddsa) && keys.eddsa
    case 'TRX':
      return tronAddress(keys.ecdsa)
    case 'BTC':
      return keys.reserved
    case 'FIAT':
      return ''
  }
}

/** @throws UpstreamError if the key is missing or malformed */
export function poolOf(shortName: string, keys: PoolKeys | undefined, source: string): string {
  if (keys === undefined) throw new UpstreamError(source, 'the response contains no pool keys')
  const address = poolAddress(family(shortName) ?? 'FIAT', keys)
  if (address === undefined) throw new UpstreamError(source, `the pool key for ${shortName} is malformed`)
  return address
}

/** Expands the exponent of a number. A string's could be so large that its expansion would fill the memory. */
const decimalText = (amount: string | number) =>
  typeof amount === 'number' ? plainDecimal(String(amount)) : amount

/** Converts a balance for clients, with every value as a string (interface 4.15). */
export function readBalance({ index, chainName, balance, nativeGasAmount }: PoolBalance): PoolBalanceView {
  return {
    index: String(index),
    chainName,
    balance: balance.map(({ amount, tokenSymbol, decimal }) => ({
      amount: decimalText(amount),
      tokenSymbol,
      decimal: String(decimal)
    })),
    nativeGasAmount: decimalText(nativeGasAmount)
  }
}

/**
 * Returns the pools with their addresses and balances. A pool without a balance entry counts as empty (interface 4.16).
 * @throws UpstreamError if a key is missing or malformed
 */
export function pools(
  chains: Chain[],
  keys: PoolKeys | undefined,
  balances: readonly Omit<Pool, 'poolAddress'>[],
  source: string
): Pool[] {
  return chains.flatMap(({ shortName }) => {
    const kind = family(shortName)
    if (kind === undefined || kind === 'FIAT') return []
    const address = poolOf(shortName, keys, source)
    const { balance, nativeGasAmount } = balances.find(({ chainName }) => chainName === shortName) ?? EMPTY
    return [{ chainName: shortName, poolAddress: address, balance, nativeGasAmount }]
  })
}

const EMPTY: Pick<Pool, 'balance' | 'nativeGasAmount'> = { balance: [], nativeGasAmount: '0' }
