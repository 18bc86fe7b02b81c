import { type Static, Type } from '@sinclair/typebox'
import { LRUCache } from 'lru-cache'
import type { ComplianceResponse } from '../../schemas/compliance.ts'
import { canonicalAddress } from '../addresses/index.ts'
import { upTo } from '../caches/capacity.ts'
import { systemClock } from '../clock.ts'
import { ServiceError } from '../errors/index.ts'
import { checkFor } from '../schema-check.ts'
import { scrubAll } from '../secrets.ts'
import { UpstreamError } from '../upstream/errors.ts'
import { createUpstream, type UpstreamObserver } from '../upstream/index.ts'

const ProviderRecord = Type.Object({
  address: Type.String(),
  name: Type.Optional(Type.Unknown()),
  risk_score: Type.String(),
  /** A record has either a result or an error. */
  error: Type.Optional(Type.Null()),
  status: Type.Optional(Type.Not(Type.Literal('fail')))
})
const Failure = Type.Object({ status: Type.Literal('fail'), error: Type.Unknown() })
const providerResponse = checkFor(Type.Union([Type.Array(ProviderRecord), Failure]))

/** How long a record is cached after its request, in milliseconds (interface 11.5). */
const KEPT_MS = 60_000
const MAX_RECORDS = 10_000

/** The risk score of compliant addresses (interface 11.3). */
const ACCEPTED = 'low'

const NAME = 'compliance provider'

class NotCheckedError extends UpstreamError {
  constructor() {
    super(NAME, 'could not check the addresses')
  }
}

export interface ComplianceService {
  readonly enabled: boolean
  /**
   * Requests the provider's records of addresses, each in its canonical spelling.
   * @throws ServiceError NOT_CONFIGURED without a provider; UpstreamError, UpstreamTimeoutError
   */
  check(addresses: readonly string[]): Promise<Static<typeof ComplianceResponse>>
  /**
   * Rejects addresses that are not compliant, and all addresses if the provider fails. Skips the empty address of a
   * rail. Does nothing if there is no provider.
   * @param addresses by field name
   * @throws ServiceError NOT_COMPLIANT with the fields, COMPLIANCE_UNAVAILABLE
   */
  assertCompliant(addresses: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/**
 * @param options.url URL of the provider (docs/providers.md); undefined disables compliance checks
 */
export function createComplianceService(options: {
  url: string | undefined
  observe?: UpstreamObserver
}): ComplianceService {
  const { url, observe } = options
  const upstream = url === undefined ? undefined : createUpstream({ name: NAME, baseUrl: url, observe })

  /** Includes pending requests, so that concurrent checks share a call. Failures are not cached. */
  const records = new LRUCache<string, Promise<ReturnType<typeof shown>>>({
    ...upTo(MAX_RECORDS),
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: () => systemClock.elapsed() }
  })

  /**
   * Returns the fields for clients (interface 11.2), by address. A response that is not one record for each requested
   * address contradicts itself or the request, so none of it counts.
   */
  async function ask(addresses: readonly string[]): Promise<Map<string, ReturnType<typeof shown>>> {
    if (upstream === undefined) throw new ServiceError('NOT_CONFIGURED', 'COMPLIANCE_URL is not set')
    const response = await upstream.post('', { addresses }, providerResponse)
    if (!Array.isArray(response)) throw new NotCheckedError()
    if (response.length !== addresses.length) throw mismatch()
    const records = new Map(response.map(record => [canonicalAddress(record.address), shown(record)]))
    if (!addresses.every(address => records.has(address))) throw mismatch()
    return records
  }

  /** Makes one call for the addresses that are not cached, or for all of them if `isAnew`. */
  function recordsOf(addresses: readonly string[], isAnew: boolean) {
    const found = new Map(addresses.map(address => [address, isAnew ? undefined : records.get(address)]))
    const missing = [...found.keys()].filter(address => found.get(address) === undefined)
    const response = missing.length === 0 ? undefined : ask(missing)
    for (const address of missing) {
      const record = response?.then(received => received.get(address) ?? Promise.reject(mismatch()))
      found.set(address, record)
      records.set(address, record)
      record?.catch(() => {
        if (records.peek(address) === record) records.delete(address)
      })
    }
    return Promise.all(addresses.flatMap(address => found.get(address) ?? []))
  }

  async function resultsOf(addresses: readonly string[], isAnew: boolean) {
    const found = await recordsOf(addresses.map(canonicalAddress), isAnew)
    return found.map(result => ({ isCompliant: result.risk_score === ACCEPTED, result }))
  }

  return {
    enabled: upstream !== undefined,
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
      if (upstream === undefined) return
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
    close: async () => upstream?.close()
  }
}

const mismatch = () => new UpstreamError(NAME, 'the response is not one record for each requested address')

function shown({ address, name, risk_score }: Static<typeof ProviderRecord>) {
  const isName = typeof name === 'string' || name === null
  return { address, ...scrubAll({ ...(isName && { name }), risk_score }) }
}

function notCompliant(fields: string[]): ServiceError {
  const message = 'does not meet the compliance requirements'
  return new ServiceError('NOT_COMPLIANT', `compliance requirements not met by ${fields.join(' and ')}`, {
    details: fields.map(field => ({ path: `/${field}`, message }))
  })
}
