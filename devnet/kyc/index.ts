import { createHash, timingSafeEqual } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'

/** The provider's key on every development network. It is public on purpose. */
export const DEVELOPMENT_KYC_KEY = 'development-kyc-key'

/** Sessions that are not approved. Every other uuid is. */
export const kycSessions = {
  declined: '00000000-0000-4000-8000-0000000000d1',
  pending: '00000000-0000-4000-8000-0000000000d2',
  unknown: '00000000-0000-4000-8000-0000000000d3'
}

const Body = Type.Object({
  uuid: Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
})

/**
 * A KYC provider: `POST /` with header `x-api-key` and body `{ uuid }` answers the session's records,
 * `[{ external_uuid, status }]`, status being `approved`, `declined` or `pending`; none for an unknown session.
 * 401 without the key, 400 for a body without a uuid.
 */
export async function createKycServer(options: ListenOptions): Promise<RunningServer> {
  const app = createApp()
  app.addHook('onRequest', async (request, reply) => {
    if (isKey(request.headers['x-api-key'])) return
    return reply.code(401).send({ statusCode: 401, error: 'Unauthorized', message: 'x-api-key is not valid' })
  })
  app.post('/', { schema: { body: Body } }, request => {
    const uuid = request.body.uuid.toLowerCase()
    return uuid === kycSessions.unknown ? [] : [{ external_uuid: uuid, status: statusOf(uuid) }]
  })
  return listen(app, options)
}

function statusOf(uuid: string): string {
  if (uuid === kycSessions.declined) return 'declined'
  return uuid === kycSessions.pending ? 'pending' : 'approved'
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && timingSafeEqual(digest(value), digest(DEVELOPMENT_KYC_KEY))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
