import type { Chain, ChainToken, Page, Pool, PoolBalanceView, PoolKeys } from '../../schemas/chains.ts'
import type { Environment } from '../addresses/index.ts'
import { oncePerValue } from '../caches/body.ts'
import { type Aged, derive } from '../caches/cached-read.ts'
import { ServiceError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import { scrubAll } from '../secrets.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { FIAT, family, fiatRails } from './families.ts'
import { type ChainFilter, createVisibility } from './filter.ts'
import { clientNames, supportedChains } from './listing.ts'
import { poolAddress, poolOf, pools, readBalance } from './pools.ts'
import { createChainReads } from './reads.ts'
import {
  Chains,
  Currencies,
  type Pagination,
  PoolBalances,
  Registry,
  type RegistryChain,
  TransactionParams,
  TssPubkeys
} from './shapes.ts'

/**
 * Reads the chains that transfers can use (interface section 4), through caches and the chain filter. Methods reject
 * with UpstreamError or UpstreamTimeoutError if no cached value is young enough, except those that return undefined.
 */
export interface ChainService {
  list(): Promise<Aged<Chain[]>>
  names(): Promise<Aged<string[]>>
  pools(): Promise<Aged<Pool[]>>
  poolBalances(): Promise<Aged<PoolBalanceView[]>>
  tssPubkey(): Promise<Aged<{ tssPubkey: PoolKeys[]; pagination: Page }>>
  /** Returns the chain's registry, unchanged except for the filter (interface 4.11). */
  registry(): Promise<Aged<{ Chain: RegistryChain[]; pagination: Page }>>
  /** Returns the chains that can pay to `target` (interface 4.12). @throws ServiceError NOT_FOUND */
  origins(target: string): Promise<Aged<string[]>>
  /** Returns the symbols transferable from `origin` to `target` (interface 4.13). @throws ServiceError NOT_FOUND */
  currencies(origin: string, target: string): Promise<Aged<string[]>>
  /** Returns the largest transfer in USDT, as digits; undefined while the chain API does not respond. */
  transferLimit(): Promise<Aged<string> | undefined>
  /** Ignores the filter. @returns undefined for an unknown chain or token */
  token(shortName: string, symbol: string): Promise<ChainToken | undefined>
  /**
   * Returns a chain's addresses that do not belong to a user: its token contracts and its pool (interface 18.8). Omits
   * the pool while the chain API does not respond.
   */
  ownAddresses(shortName: string): Promise<string[]>
  /** Returns the address that users approve (interface 4.18). */
  pool(shortName: string): Promise<string>
  /** Looks the chain up in the registry, ignoring the filter. */
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
  const { single, byKey } = createChainReads(chainApi, log)
  const { canBe, locations, isVisible } = createVisibility(environment, filter)

  const readRegistry = single('/chains/chain', Registry, ({ Chain, pagination }) => {
    const supported = supportedChains(environment, Chain)
    const list = supported
      .map(chain => ({ ...chain, supportedLocations: locations(chain.shortName) }))
      .filter(chain => chain.supportedLocations.length > 0)
    const left = Chain.filter(({ symbol }) => isVisible(symbol))
    const { nextKey, total } = readPage(pagination, Chain.length)
    const page = { nextKey, total: total - (Chain.length - left.length) }
    const registry = scrubAll({ Chain: left, pagination: page })
    return { supported, list, registry }
  })
  const names = single('/chains/get_chains', Chains, response =>
    clientNames(response.Chains).filter(name => family(name) !== undefined && isVisible(name))
  )
  const poolBalances = single('/chains/pool_balance', PoolBalances, ({ poolBalance }) =>
    scrubAll(poolBalance.filter(({ chainName }) => isVisible(chainName)).map(readBalance), ['chainName'])
  )
  const tssPubkey = single(`/${brand}/tss_pubkey`, TssPubkeys, ({ tssPubkey, pagination }) =>
    scrubAll({ tssPubkey, pagination: readPage(pagination, tssPubkey.length) }, OF_POOLS)
  )
  const limit = single('/transaction/params', TransactionParams, ({ params }) =>
    String(params.transferLimitMaxUSDT)
  )
  const origins = byKey('/chains/get_available_chains', Chains, response =>
    clientNames(response?.Chains ?? []).filter(name => family(name) !== undefined && canBe('origin', name))
  )
  const currencies = byKey('/chains/get_currencies', Currencies, response => response?.Currencies ?? [])

  const allPools = oncePerValue(pools)
  /** Returns the symbols of a rail's tokens, or those of both rails for `FIAT`. */
  const ofRails = oncePerValue((all: string[], supported: Chain[], origin: string) => {
    const rails = entriesIn(supported, origin).filter(({ shortName }) => canBe('origin', shortName))
    const symbols = rails.flatMap(({ supportedTokens }) => supportedTokens.map(({ symbol }) => symbol))
    return all.filter(symbol => symbols.includes(symbol))
  })

  const list = async () => derive(await readRegistry(), registry => registry.list)

  /** Returns the entries of a chain, or of both rails for `FIAT`, without the filter. */
  async function entries(shortName: string): Promise<Chain[]> {
    return entriesIn((await readRegistry()).value.supported, shortName)
  }

  const tokensOf = async (shortName: string) =>
    (await entries(shortName)).flatMap(({ supportedTokens }) => supportedTokens)

  return {
    list,
    names,
    poolBalances,
    tssPubkey,
    registry: async () => derive(await readRegistry(), ({ registry }) => registry),

    async origins(target) {
      assertKnown(target)
      return canBe('target', target) ? origins(target) : NOTHING
    },

    async currencies(origin, target) {
      assertKnown(origin)
      assertKnown(target)
      if (!canBe('origin', origin) || !canBe('target', target)) return NOTHING
      if (family(origin) !== 'FIAT') return currencies(`${origin}/${target}`)
      const [{ value, ageSeconds }, symbols] = await Promise.all([
        readRegistry(),
        currencies(`${FIAT}/${target}`)
      ])
      return {
        value: ofRails(symbols.value, value.supported, origin),
        ageSeconds: Math.max(ageSeconds, symbols.ageSeconds)
      }
    },

    async pools() {
      const [chains, keys, balances] = await Promise.all([list(), tssPubkey(), poolBalances()])
      return {
        value: allPools(chains.value, keys.value.tssPubkey[0], balances.value, chainApi.name),
        ageSeconds: Math.max(chains.ageSeconds, keys.ageSeconds, balances.ageSeconds)
      }
    },

    transferLimit: () => unlessFailing(limit),

    async token(shortName, symbol) {
      return (await tokensOf(shortName)).find(token => token.symbol === symbol)
    },

    async ownAddresses(shortName) {
      const kind = family(shortName)
      if (kind === undefined || kind === 'FIAT') return []
      const tokens = await tokensOf(shortName)
      const [keys] = (await unlessFailing(tssPubkey))?.value.tssPubkey ?? []
      const pool = keys && poolAddress(kind, keys)
      return [...tokens.map(({ address }) => address), pool ?? ''].filter(Boolean)
    },

    async pool(shortName) {
      const [keys] = (await tssPubkey()).value.tssPubkey
      return poolOf(shortName, keys, chainApi.name)
    },

    async status(shortName) {
      const chains = await entries(shortName)
      if (chains.length === 0) return 'unknown'
      return chains.every(({ disabled }) => disabled) ? 'disabled' : 'available'
    }
  }
}

/** Returns both rails for `FIAT`. */
function entriesIn(chains: Chain[], shortName: string): Chain[] {
  const names: readonly string[] = shortName === FIAT ? fiatRails : [shortName]
  return chains.filter(chain => names.includes(chain.shortName))
}

/** The fields of a pool's keys from which its addresses come. */
const OF_POOLS = ['ecdsa', 'eddsa', 'reserved']

const unlessFailing = <T>(read: () => Promise<T>): Promise<T | undefined> =>
  read().catch(err => {
    if (!(err instanceof UpstreamError)) throw err
    return undefined
  })

const NOTHING: Aged<string[]> = { value: [], ageSeconds: 0 }

function assertKnown(shortName: string): void {
  if (family(shortName) === undefined) throw new ServiceError('NOT_FOUND', `There is no chain ${shortName}`)
}

/** @param length of this page: some gateways write 0 if they have not counted */
function readPage(page: Pagination | null | undefined, length: number): Page {
  const total = Math.max(length, Number(page?.total ?? 0))
  return { nextKey: page?.nextKey ?? page?.next_key ?? null, total }
}
