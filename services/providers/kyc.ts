import { TypeCompiler } from '@sinclair/typebox/compiler'
import { KycRecords } from '../../schemas/kyc.ts'
import { ServiceError } from '../errors/index.ts'
import { UpstreamError, UpstreamRefusalError } from '../upstream/errors.ts'
import { createUpstream } from '../upstream/index.ts'

const records = TypeCompiler.Compile(KycRecords)

export interface KycService {
  /**
   * The provider's records of a verification session, as received (interface 11.10).
   * @throws ServiceError NOT_CONFIGURED without a provider
   * @throws UpstreamError, UpstreamTimeoutError
   */
  records(uuid: string): Promise<KycRecords>
  close(): Promise<void>
}

/** @param provider see docs/providers.md; undefined without a provider */
export function createKycService(provider: { url: string; apiKey: string } | undefined): KycService {
  if (provider === undefined) return withoutProvider
  const upstream = createUpstream({
    name: 'KYC provider',
    baseUrl: provider.url,
    headers: { 'x-api-key': provider.apiKey }
  })

  return {
    async records(uuid) {
      try {
        return await upstream.post('', { uuid }, records)
      } catch (error) {
        if (!(error instanceof UpstreamRefusalError)) throw error
        // Its text may repeat the key or name a person, and the log must hold neither.
        throw new UpstreamError(upstream.name, `HTTP status ${error.httpStatus}`)
      }
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
