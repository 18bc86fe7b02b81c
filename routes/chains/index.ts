import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { brandNames } from '../../schemas/brand.ts'
import {
  AvailableChains,
  ChainList,
  ChainNames,
  ChainRegistry,
  CurrencyNames,
  chainEnvironment,
  NotModified,
  PairParams,
  PoolBalances,
  PoolList,
  TargetParams,
  TssPubkeys
} from '../../schemas/chains.ts'
import { errorResponses } from '../../schemas/errors.ts'
import { type Aged, derive } from '../../services/caches/cached-read.ts'
import { version } from '../../services/version.ts'

type Names = Static<typeof PairParams>

interface Read {
  operationId: string
  summary: string
  description: string
  params?: TObject
  body: TSchema
  load(names: Names): Promise<Aged<unknown>>
}

const routes: FastifyPluginAsync = async app => {
  const { chains, config } = app

  /** A route with parameters responds 404 to unknown names. */
  function read(path: string, { body, load, ...documentation }: Read): void {
    const ofParams = documentation.params ? ([400, 404] as const) : []
    const response = { 200: body, 304: NotModified, ...errorResponses(...ofParams, 502, 504) }
    app.get<{ Params: Names }>(
      path,
      { schema: { ...documentation, tags: ['chains'], response } },
      async ({ params }, reply) => aged(reply, await load(params))
    )
  }

  read('/', {
    body: ChainList,
    operationId: 'getChains',
    summary: 'Supported chains and their tokens',
    description:
      'The supported chains and rails, with their tokens and state from the chain’s registry, except chains that ' +
      'the chain filter excludes both as origin and as target.',
    load: chains.list
  })
  read('/names', {
    body: ChainNames,
    operationId: 'getChainNames',
    summary: 'Short names of the chains',
    description: 'The chains and rails that the chain supports, after the chain filter.',
    load: async () => derive(await chains.names(), Chains => ({ Chains }))
  })
  read('/chain', {
    body: ChainRegistry,
    operationId: 'getChainRegistry',
    summary: 'The chain’s own registry',
    description:
      'The chain’s response, unchanged except for the chain filter. Numbers are strings; `FIAT` stands for both rails.',
    load: chains.registry
  })
  read('/get_available_chains/:targetChain', {
    body: AvailableChains,
    operationId: 'getAvailableChains',
    summary: 'Chains that can pay to a chain',
    description:
      'Short names of the origins for this target. Empty for a chain that cannot be a target, or that the chain ' +
      'filter excludes as target; 404 for an unknown short name.',
    params: TargetParams,
    load: async ({ targetChain }) => derive(await chains.origins(targetChain), Chains => ({ Chains }))
  })
  read('/get_currencies/:originChain/:targetChain', {
    body: CurrencyNames,
    operationId: 'getCurrencies',
    summary: 'Tokens that can be paid from one chain to another',
    description:
      'Symbols of the origin’s tokens that can be paid to the target. Empty for an unsupported pair, or one ' +
      'that the chain filter excludes; 404 for an unknown short name.',
    params: PairParams,
    load: async ({ originChain, targetChain }) =>
      derive(await chains.currencies(originChain, targetChain), Currencies => ({ Currencies }))
  })
  read('/pool', {
    body: PoolList,
    operationId: 'getPools',
    summary: 'Pool addresses and balances',
    description:
      'The pool of each supported chain: the address that users approve or pay to, and its balances.',
    load: chains.pools
  })
  read('/pool_balance', {
    body: PoolBalances,
    operationId: 'getPoolBalances',
    summary: 'Balances of the pools',
    description: 'The balances of each pool, as the chain reports them.',
    load: async () => derive(await chains.poolBalances(), poolBalance => ({ poolBalance }))
  })
  read('/tss_pubkey', {
    body: TssPubkeys,
    operationId: 'getTssPubkeys',
    summary: 'Public keys of the pools',
    description: 'The pool addresses by kind of key, as the chain reports them.',
    load: chains.tssPubkey
  })

  const { explorerField } = brandNames(config.SERVICE_BRAND)
  app.get(
    '/env',
    {
      schema: {
        operationId: 'getChainEnvironment',
        summary: 'Environment of the service',
        description:
          'Settings for a widget. The transfer limit comes from the chain; without it, there is no `age` header.',
        tags: ['chains'],
        response: { 200: chainEnvironment(explorerField), 304: NotModified, ...errorResponses() }
      }
    },
    async (_request, reply) => {
      const limit = await chains.transferLimit()
      return {
        env: config.SERVICE_ENVIRONMENT,
        [explorerField]: config.SERVICE_EXPLORER ?? null,
        transferLimitMaxUSDT: limit === undefined ? null : aged(reply, limit),
        paymentPartnerId: config.PAYMENT_PARTNER_ID ?? null,
        backendVersion: version
      }
    }
  )
}

export default routes

/** The same lifetime as in the service's own cache (interface 4.22). */
const CACHE_CONTROL = 'public, max-age=10'

const VARY = 'Origin, accept-encoding'

/** Sets the headers for age (interface 4.25) and caching (4.30). @returns the data */
function aged<T>(reply: FastifyReply, { value, ageSeconds }: Aged<T>): T {
  reply.headers({ age: ageSeconds, 'cache-control': CACHE_CONTROL, vary: VARY })
  return value
}
