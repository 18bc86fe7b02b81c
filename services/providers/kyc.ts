import { Type } from '@sinclair/typebox'
import { KycRecord } from '../../schemas/kyc.ts'
import { ServiceError } from '../errors/index.ts'
import { checkFor } from '../schema-check.ts'
import { UpstreamError, UpstreamRefusalError } from '../upstream/errors.ts'
import { createUpstream, type UpstreamObserver } from '../upstream/index.ts'

const providerAnswer = checkFor(Type.Union([KycRecord, Type.Array(KycRecord)]))

export interface KycService {
  /**
   * The provider's records of a verification session, without what they say of the person.
   * @throws ServiceError NOT_CONFIGURED without a provider; UpstreamError, UpstreamTimeoutError
   */
  records(uuid: string): Promise<KycRecord[]>
  close(): Promise<void>
}

/** @param provider asked as docs/providers.md says; undefined where there is none */
export function createKycService(
  provider: { url: string; apiKey: string } | undefined,
  observe?: UpstreamObserver
): KycService {
  if (provider === undefined) return withoutProvider
  const upstream = createUpstream({
    name: 'KYC provider',
    baseUrl: provider.url,
    headers: { authorization: provider.apiKey },
    observe
  })

  async function ask(uuid: string): Promise<KycRecord[]> {
    try {
      const filter = `?${encodeURIComponent('filter[external_uuid]')}=${encodeURIComponent(uuid)}`
      const answer = await upstream.get(filter, providerAnswer)
      return Array.isArray(answer) ? answer : [answer]
    } catch (error) {
      if (!(error instanceof UpstreamRefusalError)) throw error
      // The provider's words may hold the key or personal data, neither of which may reach the log.
      throw new UpstreamError(upstream.name, `HTTP status ${error.httpStatus}`)
    }
  }

  return {
    async records(uuid) {
      const records = await ask(uuid)
      // A provider that does not know the filter answers the sessions of other people.
      if (records.some(record => record.external_uuid.toLowerCase() !== uuid.toLowerCase())) {
        throw new UpstreamError(upstream.name, 'a record of another session')
      }
      return records.map(({ id, status, external_uuid, created_at }) => ({
        id,
        status,
        external_uuid,
        created_at
      }))
    },
    close: upstream.close
  }
}

const withoutProvider: KycService = {
  async records() {
    throw new ServiceError('NOT_CONFIGURED', 'KYC_URL is not set')
  },
  async close() {}
}
