import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { ServiceError } from '../errors/index.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { createUpstream } from '../upstream/index.ts'

const ProviderAnswer = Type.Object({
  isCompliant: Type.Boolean(),
  isError: Type.Boolean(),
  results: Type.Array(
    Type.Object({
      address: Type.Optional(Type.String()),
      isCompliant: Type.Boolean(),
      result: Type.String()
    })
  )
})
type ProviderAnswer = Static<typeof ProviderAnswer>
const providerAnswer = TypeCompiler.Compile(ProviderAnswer)

/** Seconds after which a client may retry a submission that could not be checked. */
const RETRY_AFTER_S = 5

export interface ComplianceResult {
  /** True when all addresses are compliant. Never true beside `isError` (interface 11.3). */
  isCompliant: boolean
  /** The provider answered that it could not check. */
  isError: boolean
  /** One per address, in the order of the addresses. */
  results: { isCompliant: boolean; result: string }[]
}

export interface ComplianceService {
  /** False without a provider (interface 11.1). */
  readonly enabled: boolean
  /**
   * The provider's answer for these addresses (interface 11.2).
   * @throws ServiceError NOT_CONFIGURED without a provider
   * @throws UpstreamError, UpstreamTimeoutError
   */
  check(addresses: readonly string[]): Promise<ComplianceResult>
  /**
   * Refuses a submission unless all its addresses are compliant (interface 11.5 to 11.7). Without a provider every
   * submission passes. Empty addresses, such as a rail's origin, are not checked.
   * @param addresses by the name of their field
   * @throws ServiceError NOT_COMPLIANT naming the fields, COMPLIANCE_UNAVAILABLE when the provider fails
   */
  assertCompliant(addresses: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/** @param options.url of the provider (docs/providers.md); undefined switches compliance off */
export function createComplianceService(options: { url: string | undefined }): ComplianceService {
  if (options.url === undefined) return withoutProvider
  const upstream = createUpstream({ name: 'compliance provider', baseUrl: options.url })

  async function check(addresses: readonly string[]): Promise<ComplianceResult> {
    const query = addresses.map(address => `address=${encodeURIComponent(address)}`).join('&')
    const answer = await upstream.get(`?${query}`, providerAnswer)
    const { isError, results } = answer
    if (!isError && !answersFor(addresses, answer)) {
      throw new UpstreamError(upstream.name, 'the results do not match the addresses')
    }
    const isCompliant = !isError && answer.isCompliant && results.every(result => result.isCompliant)
    return {
      isCompliant,
      isError,
      results: results.map(({ isCompliant, result }) => ({ isCompliant, result }))
    }
  }

  async function checkForSubmission(addresses: readonly string[]): Promise<ComplianceResult> {
    try {
      const answer = await check(addresses)
      if (!answer.isError) return answer
      throw new UpstreamError(upstream.name, 'the answer says isError')
    } catch (cause) {
      if (!(cause instanceof UpstreamError)) throw cause
      const headers = { 'retry-after': String(RETRY_AFTER_S) }
      throw new ServiceError('COMPLIANCE_UNAVAILABLE', 'compliance was not checked', { cause, headers })
    }
  }

  return {
    enabled: true,
    check,
    async assertCompliant(addresses) {
      const given = Object.entries(addresses).filter(([, address]) => address !== '')
      const { isCompliant, results } = await checkForSubmission(given.map(([, address]) => address))
      if (isCompliant) return
      const refused = given.filter((_, index) => results[index]?.isCompliant === false)
      // The answer as a whole can be negative without naming an address.
      throw notCompliant((refused.length > 0 ? refused : given).map(([field]) => field))
    },
    close: upstream.close
  }
}

/** There must be one result per address. A result that names its address must name the right one. */
function answersFor(addresses: readonly string[], { results }: ProviderAnswer): boolean {
  return (
    results.length === addresses.length &&
    results.every(({ address }, index) => {
      return address === undefined || address.toLowerCase() === addresses[index]?.toLowerCase()
    })
  )
}

function notCompliant(fields: string[]): ServiceError {
  const message = 'does not meet the compliance requirements'
  return new ServiceError('NOT_COMPLIANT', `Not compliant: ${fields.join(', ')}`, {
    details: fields.map(field => ({ path: `/${field}`, message }))
  })
}

const withoutProvider: ComplianceService = {
  enabled: false,
  async check() {
    throw new ServiceError('NOT_CONFIGURED', 'COMPLIANCE_URL is not set')
  },
  async assertCompliant() {},
  async close() {}
}
