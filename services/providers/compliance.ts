import { type Static, Type } from '@sinclair/typebox'
import { LRUCache } from 'lru-cache'
import type { ComplianceResponse, RiskScore } from '../../schemas/compliance.ts'
import { canonicalAddress } from '../addresses/canonical.ts'
import { upTo } from '../caches/capacity.ts'
import { systemClock } from '../clock.ts'
import { ServiceError } from '../errors/index.ts'
import { checkFor } from '../schema-check.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { createUpstream, type UpstreamObserver } from '../upstream/index.ts'

const AddressRecord = Type.Object({
  address: Type.String(),
  name: Type.Optional(Type.Unknown()),
  risk_score: Type.String()
})
const Failure = Type.Object({ status: Type.Literal('fail'), error: Type.Unknown() })
const providerResponse = checkFor(Type.Union([Type.Array(AddressRecord), Failure]))

/**
 * How long a record is cached after its request, in milliseconds, and the maximum number of cached records (interface
 * 11.5).
 */
const KEPT_MS = 60_000
const MOST_RECORDS = 10_000

/** The fields of the provider's record that are returned to clients (interface 11.2). */
interface AddressRecord {
  address: string
  name?: string | null
  risk_score: string
}

/** The provider responded that it could not check an address. */
class NotCheckedError extends UpstreamError {
  constructor(upstream: string) {
    super(upstream, 'the provider could not check')
  }
}

export type ComplianceResult = Static<typeof ComplianceResponse>

export interface ComplianceService {
  /** Whether a provider is configured (interface 11.1). */
  readonly enabled: boolean
  /**
   * Requests the provider's records of addresses, each in its canonical spelling.
   * @throws ServiceError NOT_CONFIGURED without a provider; UpstreamError, UpstreamTimeoutError
   */
  check(addresses: readonly string[]): Promise<ComplianceResult>
  /**
   * Rejects addresses that are not compliant. Does nothing if there is no provider. Also rejects if the provider fails
   * in any way. Skips empty addresses (a rail's origin).
   * @param addresses by field name
   * @throws ServiceError NOT_COMPLIANT naming the fields, COMPLIANCE_UNAVAILABLE
   */
  assertCompliant(addresses: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/**
 * Checks addresses with the compliance provider.
 * @param options.url URL of the provider (docs/providers.md); undefined disables compliance checks
 * @param options.accept accepted risk scores
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

  /** Includes pending requests, so that concurrent checks share a call. Failures are not cached. */
  const records = new LRUCache<string, Promise<AddressRecord>>({
    ...upTo(MOST_RECORDS),
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: () => systemClock.elapsed() }
  })

  async function ask(addresses: readonly string[]): Promise<readonly Static<typeof AddressRecord>[]> {
    const response = await upstream.post('', { addresses }, providerResponse)
    if (!Array.isArray(response)) throw new NotCheckedError(upstream.name)
    return response
  }

  /**
   * Returns the records of these addresses. Makes one call for the addresses that are not cached, or for all of them if
   * `isAnew`.
   */
  function recordsOf(addresses: readonly string[], isAnew: boolean): Promise<AddressRecord[]> {
    const found = new Map(addresses.map(address => [address, isAnew ? undefined : records.get(address)]))
    const missing = [...found.keys()].filter(address => found.get(address) === undefined)
    const response = missing.length === 0 ? undefined : ask(missing)
    for (const address of missing) {
      const record = response?.then(received => recordIn(received, address))
      found.set(address, record)
      records.set(address, record)
      record?.catch(() => {
        if (records.peek(address) === record) records.delete(address)
      })
    }
    return Promise.all(addresses.flatMap(address => found.get(address) ?? []))
  }

  /** Returns the record of an address. If there are several records, a failing record takes precedence. */
  function recordIn(received: readonly Static<typeof AddressRecord>[], address: string): AddressRecord {
    const own = received.filter(record => canonicalAddress(record.address) === address)
    const decisive = own.find(({ risk_score }) => !accepted.has(risk_score)) ?? own[0]
    if (decisive === undefined)
      throw new UpstreamError(upstream.name, 'the response contains no record for a requested address')
    const { name, risk_score } = decisive
    const isName = typeof name === 'string' || name === null
    return { address: decisive.address, ...(isName && { name }), risk_score }
  }

  async function resultsOf(addresses: readonly string[], isAnew: boolean) {
    const found = await recordsOf(addresses.map(canonicalAddress), isAnew)
    return found.map(result => ({ isCompliant: accepted.has(result.risk_score), result }))
  }

  return {
    enabled: true,
    async check(addresses) {
      try {
        const results = await resultsOf(addresses, false)
        return { isCompliant: results.every(({ isCompliant }) => isCompliant), isError: false, results }
      } catch (error) {
        if (!(error instanceof NotCheckedError)) throw error
        const results = addresses.map(address => ({
          isCompliant: false,
          result: { address: canonicalAddress(address) }
        }))
        return { isCompliant: false, isError: true, results }
      }
    },
    async assertCompliant(addresses) {
      const sent = Object.entries(addresses).filter(([, address]) => address !== '')
      const results = await resultsOf(
        sent.map(([, address]) => address),
        true
      ).catch(cause => {
        if (!(cause instanceof UpstreamError)) throw cause
        throw new ServiceError('COMPLIANCE_UNAVAILABLE', 'compliance was not checked', { cause })
      })
      const failed = sent.filter((_, index) => results[index]?.isCompliant !== true)
      if (failed.length > 0) throw notCompliant(failed.map(([field]) => field))
    },
    close: upstream.close
  }
}

function notCompliant(fields: string[]): ServiceError {
  const message = 'does not meet the compliance requirements'
  return new ServiceError('NOT_COMPLIANT', `${fields.join(' and ')} ${message}`, {
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
