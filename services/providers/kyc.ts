import { Type } from '@sinclair/typebox'
import { KycRecord } from '../../schemas/kyc.ts'
import { ServiceError } from '../errors/index.ts'
import { checkFor } from '../schema-check.ts'
import { scrubAll } from '../secrets.ts'
import { UpstreamError, UpstreamRefusalError } from '../upstream/errors.ts'
import { createUpstream, type UpstreamObserver } from '../upstream/index.ts'

const providerResponse = checkFor(Type.Union([KycRecord, Type.Array(KycRecord)]))

export interface KycService {
  /**
   * Returns the provider's records of a verification session, without personal data.
   * @throws ServiceError NOT_CONFIGURED without a provider; UpstreamError, UpstreamTimeoutError
   */
  records(uuid: string): Promise<KycRecord[]>
  close(): Promise<void>
}

/** @param provider used as described in docs/providers.md; undefined if there is none */
export function createKycService(
  provider: { url: string; apiKey: string } | undefined,
  observe?: UpstreamObserver
): KycService {
  const upstream =
    provider &&
    createUpstream({
      name: 'KYC provider',
      baseUrl: provider.url,
      headers: { authorization: provider.apiKey },
      observe
    })

  return {
    async records(uuid) {
      if (upstream === undefined) throw new ServiceError('NOT_CONFIGURED', 'KYC_URL is not set')
      const filter = `?${encodeURIComponent('filter[external_uuid]')}=${encodeURIComponent(uuid)}`
      const response = await upstream.get(filter, providerResponse).catch(error => {
        if (!(error instanceof UpstreamRefusalError)) throw error
        // The provider's message might contain the key or personal data, which must not be logged.
        throw new UpstreamError(upstream.name, `HTTP status ${error.httpStatus}`)
      })
      const records = Array.isArray(response) ? response : [response]
      // A provider that ignores the filter returns other people's sessions.
      if (records.some(record => record.external_uuid.toLowerCase() !== uuid.toLowerCase())) {
        throw new UpstreamError(upstream.name, 'the response contains a record of another session')
      }
      return records.map(({ id, status, external_uuid, created_at }) => ({
        external_uuid,
        ...scrubAll({ id, status, created_at })
      }))
    },
    close: async () => upstream?.close()
  }
}
