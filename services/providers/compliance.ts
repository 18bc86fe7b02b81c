import { type Static, Type } from '@sinclair/typebox'
import { canonicalAddress } from '../addresses/canonical.ts'
import { ServiceError } from '../errors/index.ts'
import { checkFor } from '../schema-check.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { createUpstream, type UpstreamObserver } from '../upstream/index.ts'
import type { RiskScore } from './risk-scores.ts'

const AddressRecord = Type.Object({ address: Type.String(), risk_score: Type.String() })
const Failure = Type.Object({ status: Type.Literal('fail'), error: Type.Unknown() })
const providerAnswer = checkFor(Type.Union([Type.Array(AddressRecord), Failure]))

/** How soon a client may ask again for what could not be checked, in seconds. */
const RETRY_AFTER_S = 5

/** The provider's record of an address, with whatever else it says. */
export type AddressRecord = Static<typeof AddressRecord>

export interface ComplianceResult {
  /** Of all addresses; never true beside `isError`. */
  isCompliant: boolean
  /** The provider answered that it could not check. */
  isError: boolean
  /** One per address, in their order; of a check that failed, `result` has the address alone. */
  results: { isCompliant: boolean; result: AddressRecord | { address: string } }[]
}

export interface ComplianceService {
  /** False without a provider (interface 11.1). */
  readonly enabled: boolean
  /**
   * Asks the provider for these addresses, each in its canonical spelling.
   * @throws ServiceError NOT_CONFIGURED without a provider; UpstreamError, UpstreamTimeoutError
   */
  check(addresses: readonly string[]): Promise<ComplianceResult>
  /**
   * Passes when all addresses, given by the names of their fields, are compliant, and when there is no provider. It
   * does not pass when the provider fails in whatever way. Empty addresses (a rail's origin) do not count.
   * @throws ServiceError NOT_COMPLIANT naming the fields, COMPLIANCE_UNAVAILABLE
   */
  assertCompliant(addresses: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/**
 * @param options.url of the provider (docs/providers.md); undefined switches compliance off
 * @param options.accept risk scores that pass
 */
export function createComplianceService(options: {
  url: string | undefined
  accept: readonly RiskScore[]
  observe?: UpstreamObserver
}): ComplianceService {
  if (options.url === undefined) return withoutProvider
  const accepted = new Set<string>(options.accept)
  const upstream = createUpstream({
    name: 'compliance provider',
    baseUrl: options.url,
    observe: options.observe
  })

  async function check(addresses: readonly string[]): Promise<ComplianceResult> {
    const asked = addresses.map(canonicalAddress)
    const answer = await upstream.post('', { addresses: [...new Set(asked)] }, providerAnswer)
    if (!Array.isArray(answer)) {
      const results = asked.map(address => ({ isCompliant: false, result: { address } }))
      return { isCompliant: false, isError: true, results }
    }
    const results = asked.map(address => verdict(answer, address))
    return { isCompliant: results.every(({ isCompliant }) => isCompliant), isError: false, results }
  }

  /** Of several records of an address, one that does not pass decides. */
  function verdict(records: readonly AddressRecord[], address: string) {
    const own = records.filter(record => canonicalAddress(record.address) === address)
    const result = own.find(({ risk_score }) => !accepted.has(risk_score)) ?? own[0]
    if (result === undefined)
      throw new UpstreamError(upstream.name, 'no record of an address that was asked for')
    return { isCompliant: accepted.has(result.risk_score), result }
  }

  async function checkForSubmission(addresses: readonly string[]): Promise<ComplianceResult> {
    try {
      const answer = await check(addresses)
      if (!answer.isError) return answer
      throw new UpstreamError(upstream.name, 'the provider could not check')
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
      const { results } = await checkForSubmission(given.map(([, address]) => address))
      const refused = given.filter((_, index) => results[index]?.isCompliant !== true)
      if (refused.length > 0) throw notCompliant(refused.map(([field]) => field))
    },
    close: upstream.close
  }
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
