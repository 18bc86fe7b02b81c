import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { DevnetNames } from '../brand.ts'
import type { DevnetLedger } from '../ledger.ts'
import { chains } from '../registry/chains.ts'
import { currenciesBetween, originsFor } from '../registry/index.ts'
import { poolKeys } from '../registry/pools.ts'

const TRANSFER_LIMIT_USDT = '10000'

const schema = { params: Type.Object({ origin: Type.Optional(Type.String()), target: Type.String() }) }

export function registryRoutes(ledger: DevnetLedger, names: DevnetNames): FastifyPluginAsyncTypebox {
  return async app => {
    app.get('/chains/chain', () => page({ Chain: chains }))
    app.get('/chains/get_chains', () => ({ Chains: chains.map(chain => chain.symbol) }))
    app.get('/chains/get_available_chains/:target', { schema }, ({ params }) => ({
      Chains: originsFor(params.target)
    }))
    app.get('/chains/get_currencies/:origin/:target', { schema }, ({ params }) => ({
      Currencies: currenciesBetween(params.origin ?? '', params.target)
    }))
    app.get('/chains/pool_balance', async () => page({ poolBalance: await ledger.poolBalances() }))
    app.get(`/${names.brand}/tss_pubkey`, () => page({ tssPubkey: [poolKeys] }))
    app.get('/transaction/params', () => ({ params: { transferLimitMaxUSDT: TRANSFER_LIMIT_USDT } }))
  }
}

/** Returns a list as a single page, with the chain's pagination object. */
function page<T extends Record<string, readonly unknown[]>>(list: T) {
  const total = Object.values(list)[0]?.length ?? 0
  return { ...list, pagination: { nextKey: null, total } }
}
