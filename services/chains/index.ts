import { type Aged, derive } from '../caches/cached-read.ts'
import { NotFoundError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { FIAT, family } from './families.ts'
import type { ChainFilter } from './filter.ts'
import { type Chain, type ChainToken, clientNames, supportedChains } from './listing.ts'
import { type Pool, type PoolBalanceView, pools, readBalance } from './pools.ts'
import { createChainReads } from './reads.ts'
import type { Pagination, PoolKeys, RegistryChain } from './shapes.ts'
import type { Environment } from './types.ts'
import { createVisibility } from './visibility.ts'

/** How a list of the chain goes on; `total` counts what the list shows. */
export interface Page {
  nextKey: string | null
  total: number
}

/**
 * What the chain tells of the outside chains, through caches (`display-read.ts`) and the operator's filter.
 * Everything that has nothing young enough to answer throws UpstreamError or UpstreamTimeoutError, which say
 * why; a name that no chain has throws NotFoundError.
 */
export interface ChainService {
  /** The supported chains that the filter leaves, with the locations that it leaves them. */
  list(): Promise<Aged<Chain[]>>
  /** Short names of the chains that the chain names, filtered. */
  names(): Promise<Aged<string[]>>
  /** The chain's own registry as it came, filtered; it knows the rails as `FIAT`. */
  registry(): Promise<Aged<{ Chain: RegistryChain[]; pagination: Page }>>
  /** Short names of the chains from which a transfer to `target` may start; none when it cannot be a target. */
  origins(target: string): Promise<Aged<string[]>>
  /** Symbols of the tokens on `origin` that can be paid to `target`; none when one of the two is filtered out. */
  currencies(origin: string, target: string): Promise<Aged<string[]>>
  pools(): Promise<Aged<Pool[]>>
  poolBalances(): Promise<Aged<PoolBalanceView[]>>
  tssPubkey(): Promise<Aged<{ tssPubkey: PoolKeys[]; pagination: Page }>>
  /** The largest transfer in USDT; undefined when the chain does not say. Never throws. */
  transferLimit(): Promise<Aged<string> | undefined>
  /** A token of a supported chain, whatever the filter says; undefined when there is none. */
  token(shortName: string, symbol: string): Promise<{ symbol: string; decimals: number } | undefined>
  /** Whether a chain takes part in transfers now, whatever the filter says. */
  status(shortName: string): Promise<'available' | 'disabled' | 'unknown'>
}

export function createChainService(options: {
  environment: Environment
  brand: string
  chainApi: Pick<ChainApi, 'name' | 'get'>
  filter: ChainFilter
  log: Logger
}): ChainService {
  const { environment, brand, chainApi, filter, log } = options
  const reads = createChainReads({ brand, log }, chainApi)
  const { canBe, locations, isVisible } = createVisibility(environment, filter)

  /** Every submission asks for it, and the registry stays the same object as long as it is kept. */
  const chainsOf = oncePerObject(({ Chain }: { Chain: RegistryChain[] }) =>
    supportedChains(environment, Chain)
  )

  const supported = async () => derive(await reads.registry(), chainsOf)

  /** The entries of a chain; `FIAT` has those of both rails. */
  async function entries(shortName: string): Promise<Chain[]> {
    const { value } = await supported()
    const names = clientNames([shortName])
    return value.filter(chain => names.includes(chain.shortName))
  }

  const list = async () =>
    derive(await supported(), chains =>
      chains
        .map(chain => ({ ...chain, supportedLocations: locations(chain.shortName) }))
        .filter(chain => chain.supportedLocations.length > 0)
    )

  return {
    list,

    async names() {
      return derive(await reads.names(), ({ Chains }) =>
        clientNames(Chains).filter(name => family(name) !== undefined && isVisible(name))
      )
    },

    async registry() {
      return derive(await reads.registry(), ({ Chain, pagination }) => {
        const left = Chain.filter(({ symbol }) => isVisible(symbol))
        const { nextKey, total } = readPage(pagination, Chain.length)
        return { Chain: left, pagination: { nextKey, total: total - (Chain.length - left.length) } }
      })
    },

    async origins(target) {
      assertKnown(target)
      if (!canBe('target', target)) return NOTHING
      return derive(await reads.origins(target), names =>
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
      return derive(await reads.currencies(`${FIAT}/${target}`), all =>
        all.filter(symbol => symbols.includes(symbol))
      )
    },

    async pools() {
      const [chains, keys, balances] = await Promise.all([list(), reads.tssPubkeys(), reads.poolBalances()])
      return {
        value: pools(chains.value, keys.value.tssPubkey[0], balances.value.poolBalance, chainApi.name),
        ageSeconds: Math.max(chains.ageSeconds, keys.ageSeconds, balances.ageSeconds)
      }
    },

    async poolBalances() {
      return derive(await reads.poolBalances(), ({ poolBalance }) =>
        poolBalance.filter(({ chainName }) => isVisible(chainName)).map(readBalance)
      )
    },

    async tssPubkey() {
      return derive(await reads.tssPubkeys(), ({ tssPubkey, pagination }) => ({
        tssPubkey,
        pagination: readPage(pagination, tssPubkey.length)
      }))
    },

    async transferLimit() {
      try {
        return derive(await reads.params(), ({ params }) => params.transferLimitMaxUSDT)
      } catch (err) {
        if (err instanceof UpstreamError) return undefined
        throw err
      }
    },

    async token(shortName, symbol) {
      const tokens: ChainToken[] = (await entries(shortName)).flatMap(chain => chain.supportedTokens)
      return tokens.find(token => token.symbol === symbol)
    },

    async status(shortName) {
      const chains = await entries(shortName)
      if (chains.length === 0) return 'unknown'
      return chains.every(({ disabled }) => disabled) ? 'disabled' : 'available'
    }
  }
}

/** Computes what follows from an object once, for as long as the object lives. */
function oncePerObject<T extends object, U extends object>(compute: (from: T) => U): (from: T) => U {
  const known = new WeakMap<T, U>()
  return from => {
    const present = known.get(from)
    if (present) return present
    const result = compute(from)
    known.set(from, result)
    return result
  }
}

const NOTHING: Aged<string[]> = { value: [], ageSeconds: 0 }

function assertKnown(shortName: string): void {
  if (family(shortName) === undefined) throw new NotFoundError(`There is no chain ${shortName}`)
}

function readPage(page: Pagination | null | undefined, length: number): Page {
  return { nextKey: page?.nextKey ?? page?.next_key ?? null, total: Number(page?.total ?? length) }
}
