import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { brandNames } from '../../schemas/brand.ts'
import { statusResources } from '../../schemas/record-fields.ts'
import { createEsplora } from '../bitcoin/esplora.ts'
import { catalogueChain } from '../chains/catalogue.ts'
import { createComplianceService } from '../providers/compliance.ts'
import { createKycService } from '../providers/kyc.ts'
import { checkFor } from '../schema-check.ts'
import { createGraphqlIndex } from '../status/graphql-index.ts'
import { createChainApi } from '../upstream/chain-api.ts'
import { UpstreamRefusalError } from '../upstream/errors.ts'
import { createUpstream } from '../upstream/index.ts'
import type { Examined } from './contract.ts'
import { checking, type Finding, fine, problem, warning } from './finding.ts'

const anything = checkFor(Type.Unknown())
const NodeInfo = checkFor(Type.Object({ default_node_info: Type.Object({ network: Type.String() }) }))
const ChainIdResponse = checkFor(Type.Object({ result: Type.String({ pattern: '^0x[0-9a-fA-F]{1,16}$' }) }))

/** An address that nobody owns. */
const NOBODY = '0x000000000000000000000000000000000000dEaD'

interface Closable {
  close(): Promise<void> | undefined
}

/** Runs a check of an upstream, and closes its connections. */
function probing<T extends Closable>(
  about: string,
  variable: string,
  upstream: T,
  probe: (upstream: T) => Promise<Finding | Finding[]>
): Promise<Finding[]> {
  return checking(about, `Correct ${variable}, or ask the operator of the upstream.`, () =>
    probe(upstream)
  ).finally(() => upstream.close())
}

/** Sends each configured upstream a harmless request. @param chainId undefined if no node reports it */
export function examineUpstreams(
  { config, secrets }: Examined,
  chainId: string | undefined
): Promise<Finding[]>[] {
  const { upstreams } = secrets
  const { SERVICE_ENVIRONMENT: environment, SERVICE_BRAND: brand } = config
  const names = brandNames(brand)
  const hostOf = (url: string) => new URL(url).host
  const checks: Promise<Finding[]>[] = []

  const apiName = `chain API ${hostOf(upstreams.chainApi)}`
  const api = createChainApi({ baseUrl: upstreams.chainApi, modulePath: names.apiPath })
  checks.push(
    probing(apiName, 'SERVICE_BACKEND_NODE_PROVIDER_QUERY or SERVICE_BRAND', api, async () => {
      if ((await api.get('/transaction/params', anything)) === undefined)
        throw new Error('has no such module')
      return fine(apiName, 'responds')
    }),
    probing(
      apiName,
      'SERVICE_BACKEND_NODE_PROVIDER_QUERY',
      createUpstream({ name: 'chain API', baseUrl: upstreams.chainApi }),
      async ({ get }) => {
        // Some gateways serve only the chain's own modules.
        const info = await get('/cosmos/base/tendermint/v1beta1/node_info', NodeInfo).catch(() => undefined)
        const network = info?.default_node_info.network
        if (network === undefined || chainId === undefined || network === chainId) return []
        return problem(
          apiName,
          `is on chain ${network}, but the nodes are on ${chainId}`,
          'Correct SERVICE_BACKEND_NODE_PROVIDER_QUERY.'
        )
      }
    )
  )

  const { baseUrl, path } = upstreams.fees
  const feesName = `fee service ${hostOf(baseUrl)}`
  checks.push(
    probing(
      feesName,
      'SERVICE_BACKEND_FEE_URL',
      createUpstream({ name: 'fee service', baseUrl }),
      async ({ post }) => {
        try {
          await post(path, {}, anything)
        } catch (error) {
          // An invalid request for a quote must be refused.
          if (!(error instanceof UpstreamRefusalError)) throw error
          if ([404, 405, 501].includes(error.httpStatus) || error.result === 'failed') {
            const detail = `refuses requests for quotes with status ${error.httpStatus}`
            const action =
              'Ask for a quote. If that fails, correct SERVICE_BACKEND_FEE_URL and its version, or its key.'
            return error.httpStatus >= 500 && error.httpStatus !== 501
              ? warning(feesName, detail, action)
              : problem(feesName, detail, action)
          }
        }
        return fine(feesName, 'responds')
      }
    )
  )

  if (upstreams.index !== undefined) {
    const name = `GraphQL index ${hostOf(upstreams.index)}`
    checks.push(
      probing(
        name,
        'SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL',
        createGraphqlIndex(upstreams.index),
        async index => {
          await index.find(statusResources(names).transfer, '0')
          return fine(name, 'responds')
        }
      )
    )
  }

  for (const [chain, url] of Object.entries(upstreams.evmRpc)) {
    const name = `RPC of ${chain} ${hostOf(url)}`
    checks.push(
      probing(
        name,
        'SERVICE_EVM_RPC',
        createUpstream({ name: `RPC of ${chain}`, baseUrl: url }),
        async ({ post }) => {
          const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
          const id = Number((await post('', request, ChainIdResponse)).result)
          const expected = catalogueChain(environment, chain)?.id
          if (id === expected) return fine(name, `chain ${id}`)
          return problem(
            name,
            `is on chain ${id}, but ${chain} on ${environment} is ${expected}`,
            'Correct SERVICE_EVM_RPC or SERVICE_ENVIRONMENT.'
          )
        }
      )
    )
  }

  if (upstreams.bitcoin !== undefined) {
    const name = `Bitcoin API ${hostOf(upstreams.bitcoin)}`
    checks.push(
      probing(
        name,
        'BTC_API_URL or SERVICE_ENVIRONMENT',
        createEsplora({ url: upstreams.bitcoin, environment }),
        async esplora => {
          await esplora.assertNetwork()
          return fine(name, `network ${environment}`)
        }
      )
    )
  }
  return checks
}

/** Asks the providers, which may charge for it. */
export function examineProviders({ secrets }: Pick<Examined, 'secrets'>): Promise<Finding[]>[] {
  const { compliance, kyc } = secrets.upstreams
  const checks: Promise<Finding[]>[] = []
  if (compliance !== undefined) {
    const service = createComplianceService({ url: compliance })
    checks.push(
      probing('compliance provider', 'COMPLIANCE_URL', service, async () => {
        const { isError } = await service.check([NOBODY])
        if (isError) throw new Error('could not check an address')
        return fine('compliance provider', 'responds')
      })
    )
  }
  if (kyc !== undefined && secrets.kycApiKey !== undefined) {
    const service = createKycService({ url: kyc, apiKey: secrets.kycApiKey })
    checks.push(
      probing('KYC provider', 'KYC_URL or KYC_API_KEY', service, async () => {
        await service.records(randomUUID())
        return fine('KYC provider', 'responds')
      })
    )
  }
  return checks
}
