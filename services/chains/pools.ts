import type { Chain, Pool, PoolBalanceView } from '../../schemas/chains.ts'
import { plainDecimal } from '../amounts.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { family } from './families.ts'
import { poolAddress } from './pool-address.ts'
import type { PoolBalance, PoolKeys } from './shapes.ts'

/** A balance as clients see it, with every value as text (interface 4.15). */
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
 * The pools of the chains, without the rails (interface 4.16 and 4.18). A pool that is not among the balances is
 * empty.
 * @param source name of the upstream, for the error
 * @throws UpstreamError for a missing or malformed key
 */
export function pools(
  chains: Chain[],
  keys: PoolKeys | undefined,
  balances: readonly Omit<Pool, 'poolAddress'>[],
  source: string
): Pool[] {
  if (keys === undefined) throw new UpstreamError(source, 'no pool keys')
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
