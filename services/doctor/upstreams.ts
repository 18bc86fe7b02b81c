import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { brandNames } from '../../schemas/brand.ts'
import { statusResources } from '../../schemas/record-fields.ts'
import { createEsplora } from '../bitcoin/esplora.ts'
import { catalogueChain } from '../chains/catalogue.ts'
import { NOBODY } from '../messages/control-request.ts'
import { createComplianceService } from '../providers/compliance.ts'
import { createKycService } from '../providers/kyc.ts'
import { anything, checkFor } from '../schema-check.ts'
import { createGraphqlIndex } from '../status/graphql-index.ts'
import { createChainApi } from '../upstream/chain-api.ts'
import { UpstreamRefusalError } from '../upstream/errors.ts'
import { createUpstream } from '../upstream/index.ts'
import type { Examined } from './contract.ts'
import { checking, type Finding, type Found, fine, problem, warning } from './finding.ts'

const NodeInfo = checkFor(Type.Object({ default_node_info: Type.Object({ network: Type.String() }) }))
const ChainIdResponse = checkFor(Type.Object({ result: Type.String({ pattern: '^0x[0-9a-fA-F]{1,16}$' }) }))

const RESPONDS = fine('responds')

interface Closable {
  close(): Promise<void> | undefined
}

/** Runs a check of an upstream, and closes its connections. */
function probing<T extends Closable>(
  about: string,
  variable: string,
  upstream: T,
  probe: (upstream: T) => Promise<Found | []>
): Promise<Finding[]> {
  const action = `Correct ${variable}, or ask the operator of the upstream.`
  return checking(about, action, () => probe(upstream)).finally(() => upstream.close())
}

/** Sends each configured upstream a harmless request. @param chainId undefined if no node reports it */
export function examineUpstreams(
  { config, secrets }: Examined,
  chainId: string | undefined
): Promise<Finding[]>[] {
  const { upstreams } = secrets
  const { SERVICE_ENVIRONMENT: environment, SERVICE_BRAND: brand } = config
  const names = brandNames(brand)
  const at = (name: string, url: string) => `${name} ${new URL(url).host}`
  const upstreamAt = (name: string, baseUrl: string) => createUpstream({ name, baseUrl })

  const baseUrl = upstreams.chainApi
  const api = createChainApi({ baseUrl, modulePath: names.apiPath })
  const query = 'SERVICE_BACKEND_NODE_PROVIDER_QUERY'
  const checks = [
    probing(at('chain API', baseUrl), `${query} or SERVICE_BRAND`, api, async () => {
      if ((await api.get('/transaction/params', anything)) === undefined)
        throw new Error('has no such module')
      return RESPONDS
    }),
    probing(at('chain API', baseUrl), query, upstreamAt('chain API', baseUrl), async ({ get }) => {
      // Some gateways serve only the chain's own modules.
      const info = await get('/cosmos/base/tendermint/v1beta1/node_info', NodeInfo).catch(() => undefined)
      const network = info?.default_node_info.network
      if (network === undefined || chainId === undefined || network === chainId) return []
      return problem(`is on chain ${network}, but the nodes are on ${chainId}`, `Correct ${query}.`)
    })
  ]

  const fees = upstreamAt('fee service', upstreams.fees.baseUrl)
  checks.push(
    probing(
      at('fee service', upstreams.fees.baseUrl),
      'SERVICE_BACKEND_FEE_URL',
      fees,
      async ({ post }): Promise<Found> => {
        // An invalid request for a quote must be refused.
        const error: unknown = await post(upstreams.fees.path, {}, anything).then(
          () => undefined,
          refusal => refusal
        )
        if (error === undefined) return RESPONDS
        if (!(error instanceof UpstreamRefusalError)) throw error
        const { httpStatus, result } = error
        const isMissing = [404, 405, 501].includes(httpStatus)
        if (!isMissing && result !== 'failed') return RESPONDS
        const report = httpStatus >= 500 && !isMissing ? warning : problem
        return report(
          `refuses requests for quotes with status ${httpStatus}`,
          'Ask for a quote. If that fails, correct SERVICE_BACKEND_FEE_URL and its version, or its key.'
        )
      }
    )
  )

  if (upstreams.index !== undefined) {
    const index = createGraphqlIndex(upstreams.index)
    const about = at('GraphQL index', upstreams.index)
    checks.push(
      probing(about, 'SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL', index, async ({ find }) => {
        await find(statusResources(names).transfer, '0')
        return RESPONDS
      })
    )
  }

  for (const [chain, url] of Object.entries(upstreams.evmRpc)) {
    const name = `RPC of ${chain}`
    checks.push(
      probing(at(name, url), 'SERVICE_EVM_RPC', upstreamAt(name, url), async ({ post }) => {
        const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
        const id = Number((await post('', request, ChainIdResponse)).result)
        const expected = catalogueChain(environment, chain)?.id
        if (id === expected) return fine(`chain ${id}`)
        return problem(
          `is on chain ${id}, but ${chain} on ${environment} is ${expected}`,
          'Correct SERVICE_EVM_RPC or SERVICE_ENVIRONMENT.'
        )
      })
    )
  }

  if (upstreams.bitcoin !== undefined) {
    const esplora = createEsplora({ url: upstreams.bitcoin, environment })
    const about = at('Bitcoin API', upstreams.bitcoin)
    checks.push(
      probing(about, 'BTC_API_URL or SERVICE_ENVIRONMENT', esplora, async () => {
        await esplora.assertNetwork()
        return fine(`network ${environment}`)
      })
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
        return RESPONDS
      })
    )
  }
  if (kyc !== undefined && secrets.kycApiKey !== undefined) {
    const service = createKycService({ url: kyc, apiKey: secrets.kycApiKey })
    checks.push(
      probing('KYC provider', 'KYC_URL or KYC_API_KEY', service, async () => {
        await service.records(randomUUID())
        return RESPONDS
      })
    )
  }
  return checks
}
