import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { serializerOf } from '../../config/fastify-options.ts'
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
import { bodyOf, oncePerValue } from '../../services/caches/body.ts'
import type { Aged } from '../../services/caches/cached-read.ts'
import { version } from '../../services/version.ts'
import { sendShared } from '../send-body.ts'

type Names = Static<typeof PairParams>

interface Read {
  operationId: string
  summary: string
  description: string
  params?: TObject
  body: TSchema
  /** The body's only property, if the value is not the body itself. */
  property?: string
  load(names: Names): Promise<Aged<object>>
}

const routes: FastifyPluginAsync = async app => {
  const { chains, config } = app

  /** Adds a route that reads cached data. With parameters, it responds 404 to unknown names. */
  function read(path: string, { body, property, load, ...documentation }: Read): void {
    const ofParams = documentation.params ? ([400, 404] as const) : []
    const response = { 200: body, 304: NotModified, ...errorResponses(...ofParams, 502, 504) }
    const serialize = serializerOf(body)
    const toBody = oncePerValue((value: object) =>
      bodyOf(serialize(property === undefined ? value : { [property]: value }))
    )
    app.get<{ Params: Names }>(
      path,
      { schema: { ...documentation, tags: ['chains'], response } },
      async (request, reply) => {
        const found = await load(request.params)
        return sendShared(request, reply, toBody(found.value), found)
      }
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
    property: 'Chains',
    load: chains.names
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
    property: 'Chains',
    load: ({ targetChain }) => chains.origins(targetChain)
  })
  read('/get_currencies/:originChain/:targetChain', {
    body: CurrencyNames,
    operationId: 'getCurrencies',
    summary: 'Tokens that can be paid from one chain to another',
    description:
      'Symbols of the origin’s tokens that can be paid to the target. Empty for an unsupported pair, or one ' +
      'that the chain filter excludes; 404 for an unknown short name.',
    params: PairParams,
    property: 'Currencies',
    load: ({ originChain, targetChain }) => chains.currencies(originChain, targetChain)
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
    property: 'poolBalance',
    load: chains.poolBalances
  })
  read('/tss_pubkey', {
    body: TssPubkeys,
    operationId: 'getTssPubkeys',
    summary: 'Public keys of the pools',
    description: 'The pool addresses by kind of key, as the chain reports them.',
    load: chains.tssPubkey
  })

  const { explorerField } = brandNames(config.SERVICE_BRAND)
  const body = chainEnvironment(explorerField)
  const serialize = serializerOf(body)
  const toBody = oncePerValue((settings: typeof config, transferLimitMaxUSDT: string | null) =>
    bodyOf(
      serialize({
        env: settings.SERVICE_ENVIRONMENT,
        [explorerField]: settings.SERVICE_EXPLORER ?? null,
        transferLimitMaxUSDT,
        paymentPartnerId: settings.PAYMENT_PARTNER_ID ?? null,
        backendVersion: version
      })
    )
  )
  app.get(
    '/env',
    {
      schema: {
        operationId: 'getChainEnvironment',
        summary: 'Environment of the service',
        description:
          'Settings for a widget. The transfer limit comes from the chain; without it, there is no `age` header.',
        tags: ['chains'],
        response: { 200: body, 304: NotModified, ...errorResponses() }
      }
    },
    async (request, reply) => {
      const limit = await chains.transferLimit()
      return sendShared(request, reply, toBody(config, limit?.value ?? null), limit)
    }
  )
}

export default routes
