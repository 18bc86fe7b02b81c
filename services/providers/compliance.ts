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

/** How long a record is cached after its request, in milliseconds, and how many are cached (interface 11.5). */
const KEPT_MS = 60_000
const MOST_RECORDS = 10_000

/** The fields of the provider's record that clients get (interface 11.2). */
interface AddressRecord {
  address: string
  name?: string | null
  risk_score: string
}

/** The provider responded that it could not check. */
class NotCheckedError extends UpstreamError {
  constructor(upstream: string) {
    super(upstream, 'the provider could not check')
  }
}

export type ComplianceResult = Static<typeof ComplianceResponse>

export interface ComplianceService {
  /** False without a provider (interface 11.1). */
  readonly enabled: boolean
  /**
   * Requests the provider's records of these addresses, each in its canonical spelling.
   * @throws ServiceError NOT_CONFIGURED without a provider; UpstreamError, UpstreamTimeoutError
   */
  check(addresses: readonly string[]): Promise<ComplianceResult>
  /**
   * Passes if all addresses, keyed by field name, are compliant, or if there is no provider. Fails on any failure of
   * the provider. Skips empty addresses (a rail's origin).
   * @throws ServiceError NOT_COMPLIANT naming the fields, COMPLIANCE_UNAVAILABLE
   */
  assertCompliant(addresses: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/**
 * @param options.url URL of the provider (docs/providers.md); undefined disables compliance
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

  /** Includes pending requests, so that concurrent ones share a call. Failures are not cached. */
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

  /** The records of these addresses, with one call for the uncached ones, or for all if `isAnew`. */
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

  /** If an address has several records, one that fails decides. */
  function recordIn(received: readonly Static<typeof AddressRecord>[], address: string): AddressRecord {
    const own = received.filter(record => canonicalAddress(record.address) === address)
    const decisive = own.find(({ risk_score }) => !accepted.has(risk_score)) ?? own[0]
    if (decisive === undefined) throw new UpstreamError(upstream.name, 'no record of a requested address')
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
