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

/** How soon a client may ask again for what could not be checked, in seconds. */
const RETRY_AFTER_S = 5

export interface ComplianceResult {
  /** Of all addresses; never true beside `isError`. */
  isCompliant: boolean
  /** The provider answered, but says that it could not tell. */
  isError: boolean
  /** One per address, in their order. */
  results: { isCompliant: boolean; result: string }[]
}

export interface ComplianceService {
  /** False without a provider (spec §1, COMPLIANCE_URL). */
  readonly enabled: boolean
  /**
   * What the provider says of these addresses.
   * @throws ServiceError NOT_CONFIGURED without a provider; UpstreamError, UpstreamTimeoutError
   */
  check(addresses: readonly string[]): Promise<ComplianceResult>
  /**
   * Lets a transaction pass whose addresses, by the names of their fields, are all compliant. It passes without a
   * provider; with one that fails in whatever way it does not. Empty addresses (a rail's origin) do not count.
   * @throws ServiceError NOT_COMPLIANT naming the fields, COMPLIANCE_UNAVAILABLE
   */
  assertCompliant(addresses: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/** @param options.url of the provider, asked as docs/providers.md says; undefined switches compliance off */
export function createComplianceService(options: { url: string | undefined }): ComplianceService {
  if (options.url === undefined) return withoutProvider
  const upstream = createUpstream({ name: 'compliance provider', baseUrl: options.url })

  async function check(addresses: readonly string[]): Promise<ComplianceResult> {
    const query = addresses.map(address => `address=${encodeURIComponent(address)}`).join('&')
    const answer = await upstream.get(`?${query}`, providerAnswer)
    const { isError, results } = answer
    if (!isError && !answersFor(addresses, answer)) {
      throw new UpstreamError(upstream.name, 'the results are not those of the addresses asked for')
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
      // An answer that refuses as a whole says nothing against a single address.
      throw notCompliant((refused.length > 0 ? refused : given).map(([field]) => field))
    },
    close: upstream.close
  }
}

/** One result per address, each of it as far as it says whose it is: anything else must not pass for an answer. */
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
