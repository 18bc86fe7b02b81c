import { Type } from '@sinclair/typebox'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'

/** The provider's API key. Deliberately public. */
export const DEVELOPMENT_KYC_KEY = 'development-kyc-key'

/** Sessions with special responses. Every other UUID has one approved record. */
export const kycSessions = {
  declined: '00000000-0000-4000-8000-0000000000d1',
  pending: '00000000-0000-4000-8000-0000000000d2',
  /** Has no record. */
  unknown: '00000000-0000-4000-8000-0000000000d3',
  /** Has two records: one declined, one approved. */
  repeated: '00000000-0000-4000-8000-0000000000d4',
  /** The response is a single record instead of a list. */
  single: '00000000-0000-4000-8000-0000000000d5'
}

const statuses: Readonly<Record<string, readonly string[]>> = {
  [kycSessions.declined]: ['declined'],
  [kycSessions.pending]: ['pending'],
  [kycSessions.unknown]: [],
  [kycSessions.repeated]: ['declined', 'approved']
}

const Query = Type.Object({
  'filter[external_uuid]': Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
})

/** Starts a KYC provider: `GET /?filter[external_uuid]=UUID` returns the records of the session. */
export async function createKycServer(options: ListenOptions): Promise<RunningServer> {
  const app = createApp()
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === DEVELOPMENT_KYC_KEY) return
    return reply
      .code(401)
      .header('www-authenticate', 'Key')
      .send({ statusCode: 401, error: 'Unauthorized', message: 'the key is not valid' })
  })
  app.get('/', { schema: { querystring: Query } }, request => {
    const uuid = request.query['filter[external_uuid]'].toLowerCase()
    const found = statuses[uuid] ?? ['approved']
    const records = found.map((status, index) => ({
      id: `${uuid.slice(-12)}-${index}`,
      status,
      external_uuid: uuid,
      created_at: Date.UTC(2025, 0, index + 1, 12),
      first_name: 'Ada',
      last_name: 'Example',
      document_number: 'X0000000'
    }))
    return uuid === kycSessions.single ? records[0] : records
  })
  return listen(app, options)
}
