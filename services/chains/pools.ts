import { UpstreamError } from '../upstream/errors.ts'
import { family } from './families.ts'
import type { Chain } from './listing.ts'
import { poolAddress } from './pool-address.ts'
import type { PoolBalance, PoolKeys } from './shapes.ts'

/** A chain's pool: where it is and what it holds, in whole tokens. */
export interface Pool {
  chainName: string
  /** Empty for a chain whose pool has no address. */
  poolAddress: string
  balance: { amount: string; tokenSymbol: string; decimal: string }[]
  nativeGasAmount: string
}

/** A balance as clients see it: decimals are texts there, as the chain has them. */
export function readBalance({ balance, ...pool }: PoolBalance): PoolBalanceView {
  return { ...pool, balance: balance.map(entry => ({ ...entry, decimal: String(entry.decimal) })) }
}

export interface PoolBalanceView extends Omit<Pool, 'poolAddress'> {
  index: string
}

/**
 * The pools of crypto chains; a rail has none. A chain without a balance yet has an empty one.
 * @param source name of the upstream, for the error
 * @throws UpstreamError when there is no key, or one that is not of its kind
 */
export function pools(
  chains: Chain[],
  keys: PoolKeys | undefined,
  balances: PoolBalance[],
  source: string
): Pool[] {
  if (keys === undefined) throw new UpstreamError(source, 'no pool keys')
  return chains.flatMap(({ shortName }) => {
    const kind = family(shortName)
    if (kind === undefined || kind === 'RAIL') return []
    const address = poolAddress(kind, keys)
    if (address === undefined) throw new UpstreamError(source, `the pool key for ${shortName} is malformed`)
    const pool = balances.find(({ chainName }) => chainName === shortName)
    const { balance, nativeGasAmount } = pool === undefined ? EMPTY : readBalance(pool)
    return [{ chainName: shortName, poolAddress: address, balance, nativeGasAmount }]
  })
}

const EMPTY: Pick<Pool, 'balance' | 'nativeGasAmount'> = { balance: [], nativeGasAmount: '0' }
