import type { Static, TSchema } from '@sinclair/typebox'
import type { ReadObserver } from '../caches/cached-read.ts'
import type { Logger } from '../logger.ts'
import type { SchemaCheck } from '../schema-check.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { displayRead } from './display-read.ts'
import { Chains, Currencies, PoolBalances, Registry, TransactionParams, TssPubkeys } from './shapes.ts'

/** The reads of the chain API (interface 19.4), each with its own cache. */
export function createChainReads(
  options: {
    brand: string
    log: Logger
    observeReads?: ((cache: string) => ReadObserver) | undefined
  },
  chainApi: Pick<ChainApi, 'name' | 'get'>
) {
  const { brand, log, observeReads } = options

  async function demand<T extends TSchema>(path: string, shape: SchemaCheck<T>): Promise<Static<T>> {
    const answer = await chainApi.get(path, shape)
    if (answer === undefined) throw new UpstreamError(chainApi.name, `nothing at ${path}`)
    return answer
  }

  /** A read without a key. */
  function single<T extends TSchema>(path: string, shape: SchemaCheck<T>) {
    const read = displayRead(path, () => demand(path, shape), log, observeReads)
    return () => read('')
  }

  return {
    registry: single('/chains/chain', Registry),
    names: single('/chains/get_chains', Chains),
    poolBalances: single('/chains/pool_balance', PoolBalances),
    tssPubkeys: single(`/${brand}/tss_pubkey`, TssPubkeys),
    params: single('/transaction/params', TransactionParams),

    /** Short names of the chains that can pay to the key. None when the chain does not know it. */
    origins: displayRead(
      '/chains/get_available_chains',
      async target => (await chainApi.get(`/chains/get_available_chains/${target}`, Chains))?.Chains ?? [],
      log,
      observeReads
    ),

    /** Symbols for the key `origin/target`. None when the chain does not know one of them. */
    currencies: displayRead(
      '/chains/get_currencies',
      async pair => (await chainApi.get(`/chains/get_currencies/${pair}`, Currencies))?.Currencies ?? [],
      log,
      observeReads
    )
  }
}
