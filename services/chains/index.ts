import { type Aged, derive, type ReadObserver } from '../caches/cached-read.ts'
import { lastResult } from '../caches/last-result.ts'
import { type Soon, whenThere } from '../caches/soon.ts'
import { NotFoundError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { FIAT, family, railNames } from './families.ts'
import type { ChainFilter } from './filter.ts'
import { type Chain, type ChainToken, clientNames, supportedChains } from './listing.ts'
import { type Pool, type PoolBalanceView, pools, readBalance } from './pools.ts'
import { type Answer, createChainReads } from './reads.ts'
import type { Pagination, PoolKeys, RegistryChain } from './shapes.ts'
import type { Environment } from './types.ts'
import { createVisibility } from './visibility.ts'

/** Pagination of a list. `total` does not count filtered entries. */
export interface Page {
  nextKey: string | null
  total: number
}

/**
 * The chains between which transfers go (interface section 4), read through caches and the chain filter. Where
 * nothing else is said, a method rejects with UpstreamError or UpstreamTimeoutError when no cached answer is young enough.
 */
export interface ChainService {
  /** The supported chains after the filter, with the locations that it allows (interface 4.7). */
  list(): Soon<Aged<Chain[]>>
  /** Short names after the filter (interface 4.10). */
  names(): Soon<Aged<string[]>>
  /** The chain's registry as received, filtered, with the rails as `FIAT` (interface 4.11). */
  registry(): Soon<Aged<{ Chain: RegistryChain[]; pagination: Page }>>
  /** Short names of the chains that can pay to `target` (interface 4.12). @throws NotFoundError for an unknown name */
  origins(target: string): Promise<Aged<string[]>>
  /**
   * Symbols of the tokens on `origin` that can be paid to `target` (interface 4.13).
   * @throws NotFoundError for an unknown name
   */
  currencies(origin: string, target: string): Promise<Aged<string[]>>
  /** The pools of the listed chains (interface 4.16). */
  pools(): Soon<Aged<Pool[]>>
  /** The balances of the pools, filtered (interface 4.15). */
  poolBalances(): Soon<Aged<PoolBalanceView[]>>
  /** The keys of the pools (interface 4.17). */
  tssPubkey(): Soon<Aged<{ tssPubkey: PoolKeys[]; pagination: Page }>>
  /** The largest transfer in USDT. @returns undefined while the chain API does not answer */
  transferLimit(): Soon<Aged<string> | undefined>
  /** A token of a supported chain, whatever the filter allows. @returns undefined for an unknown chain or token */
  token(shortName: string, symbol: string): Soon<ChainToken | undefined>
  /** Whether the registry has the chain and does not disable it, whatever the filter allows. */
  status(shortName: string): Soon<'available' | 'disabled' | 'unknown'>
}

export function createChainService(options: {
  environment: Environment
  brand: string
  chainApi: Pick<ChainApi, 'name' | 'get'>
  filter: ChainFilter
  log: Logger
  observeReads?: (cache: string) => ReadObserver
}): ChainService {
  const { environment, brand, chainApi, filter, log, observeReads } = options
  const reads = createChainReads({ brand, log, observeReads }, chainApi)
  const { canBe, locations, isVisible } = createVisibility(environment, filter)

  const chainsOf = lastResult(({ Chain }: Answer<'registry'>) => supportedChains(environment, Chain))
  /** The chains by the names that clients use. `FIAT` has those of both rails. */
  const byNameOf = lastResult((chains: Chain[]) => {
    const byName = new Map<string, Chain[]>(chains.map(chain => [chain.shortName, [chain]]))
    return byName.set(
      FIAT,
      railNames.flatMap(rail => byName.get(rail) ?? [])
    )
  })
  const listOf = lastResult((chains: Chain[]) =>
    chains
      .map(chain => ({ ...chain, supportedLocations: locations(chain.shortName) }))
      .filter(chain => chain.supportedLocations.length > 0)
  )
  const namesOf = lastResult(({ Chains }: Answer<'names'>) =>
    clientNames(Chains).filter(name => family(name) !== undefined && isVisible(name))
  )
  const registryOf = lastResult(({ Chain, pagination }: Answer<'registry'>) => {
    const left = Chain.filter(({ symbol }) => isVisible(symbol))
    const { nextKey, total } = readPage(pagination, Chain.length)
    return { Chain: left, pagination: { nextKey, total: total - (Chain.length - left.length) } }
  })
  const poolsOf = lastResult(pools)
  const balancesOf = lastResult(({ poolBalance }: Answer<'poolBalances'>) =>
    poolBalance.filter(({ chainName }) => isVisible(chainName)).map(readBalance)
  )
  const keysOf = lastResult(({ tssPubkey, pagination }: Answer<'tssPubkeys'>) => ({
    tssPubkey,
    pagination: readPage(pagination, tssPubkey.length)
  }))

  const supported = () => derive(reads.registry(), chainsOf)

  const entries = (shortName: string): Soon<Chain[]> =>
    whenThere(reads.registry(), ({ value }) => byNameOf(chainsOf(value)).get(shortName) ?? [])

  const list = () => derive(supported(), listOf)

  function poolsFrom(
    chains: Aged<Chain[]>,
    keys: Aged<Answer<'tssPubkeys'>>,
    balances: Aged<Answer<'poolBalances'>>
  ): Aged<Pool[]> {
    return {
      value: poolsOf(chains.value, keys.value.tssPubkey[0], balances.value.poolBalance, chainApi.name),
      ageSeconds: Math.max(chains.ageSeconds, keys.ageSeconds, balances.ageSeconds)
    }
  }

  return {
    list,

    names: () => derive(reads.names(), namesOf),

    registry: () => derive(reads.registry(), registryOf),

    async origins(target) {
      assertKnown(target)
      if (!canBe('target', target)) return NOTHING
      return derive(reads.origins(target), names =>
        clientNames(names).filter(name => family(name) !== undefined && canBe('origin', name))
      )
    },

    async currencies(origin, target) {
      assertKnown(origin)
      assertKnown(target)
      if (!canBe('origin', origin) || !canBe('target', target)) return NOTHING
      if (family(origin) !== 'RAIL') return reads.currencies(`${origin}/${target}`)
      const rails = (await entries(origin)).filter(({ shortName }) => canBe('origin', shortName))
      const symbols = rails.flatMap(({ supportedTokens }) => supportedTokens.map(({ symbol }) => symbol))
      return derive(reads.currencies(`${FIAT}/${target}`), all =>
        all.filter(symbol => symbols.includes(symbol))
      )
    },

    pools() {
      const [chains, keys, balances] = [list(), reads.tssPubkeys(), reads.poolBalances()]
      if (chains instanceof Promise || keys instanceof Promise || balances instanceof Promise) {
        return Promise.all([chains, keys, balances]).then(sources => poolsFrom(...sources))
      }
      return poolsFrom(chains, keys, balances)
    },

    poolBalances: () => derive(reads.poolBalances(), balancesOf),

    tssPubkey: () => derive(reads.tssPubkeys(), keysOf),

    transferLimit() {
      const limit = derive(reads.params(), ({ params }) => String(params.transferLimitMaxUSDT))
      if (!(limit instanceof Promise)) return limit
      return limit.catch(err => {
        if (err instanceof UpstreamError) return undefined
        throw err
      })
    },

    token: (shortName, symbol) =>
      whenThere(entries(shortName), chains => {
        for (const { supportedTokens } of chains) {
          const token = supportedTokens.find(candidate => candidate.symbol === symbol)
          if (token !== undefined) return token
        }
        return undefined
      }),

    status: shortName =>
      whenThere(entries(shortName), chains => {
        if (chains.length === 0) return 'unknown'
        return chains.every(({ disabled }) => disabled) ? 'disabled' : 'available'
      })
  }
}

const NOTHING: Aged<string[]> = { value: [], ageSeconds: 0 }

function assertKnown(shortName: string): void {
  if (family(shortName) === undefined) throw new NotFoundError(`There is no chain ${shortName}`)
}

function readPage(page: Pagination | null | undefined, length: number): Page {
  return { nextKey: page?.nextKey ?? page?.next_key ?? null, total: Number(page?.total ?? length) }
}
