import { kycSessions } from '../../packages/devnet/kyc/index.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { json, serve } from '../helpers/local-server.ts'
import { test } from '../helpers/tap.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const STATUSES: [uuid: string, ...statuses: string[]][] = [
  [kycSessions.declined, 'declined'],
  [kycSessions.pending, 'pending'],
  [kycSessions.repeated, 'declined', 'approved'],
  [kycSessions.single, 'approved'],
  [kycSessions.unknown]
]
const INVALID = [7, 'x', '00000000-0000-1000-8000-000000000000', `${kycSessions.pending} `]

test('the KYC routes', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const post = (body: object) => server.inject({ method: 'POST', url: '/kyc', body })

  t.test('GET /uuid returns a new UUIDv4 as plain text', async t => {
    const { body, headers } = await server.inject('/uuid')
    t.match(headers['content-type'], /^text\/plain/)
    t.match(body, UUID_V4)
    t.not((await server.inject('/uuid')).body, body)
    const found = (await post({ uuid: body, other: true })).json()
    t.match(found, [{ id: /./, external_uuid: body, status: 'approved', created_at: Number }])
  })

  t.test('POST and GET return the provider’s records', async t => {
    for (const [uuid, ...statuses] of STATUSES) {
      const posted: object[] = (await post({ uuid })).json()
      const expected = statuses.map(status => ({ status }))
      t.match(posted, expected, uuid)
      t.strictSame((await server.inject({ url: '/kyc', query: { uuid } })).json(), posted)
    }
  })

  t.test('rejects values other than a UUIDv4 and reports the field', async t => {
    const expected = { statusCode: 400, code: 'VALIDATION', details: [{ path: '/uuid' }] }
    for (const body of [{}, ...INVALID.map(uuid => ({ uuid }))])
      t.match((await post(body)).json(), expected, JSON.stringify(body))
    const message = 'query/uuid must be a UUID of version 4'
    t.match((await server.inject({ url: '/kyc', query: { uuid: 'me' } })).json(), { ...expected, message })
  })

  t.test('returns no personal data, and 502 for another user’s record', async t => {
    const uuid = 'ABCD0000-0000-4000-8000-0000000000d2'
    const external_uuid = 'abcd0000-0000-4000-8000-0000000000D2'
    const sent = { id: 7, status: 'approved', external_uuid, created_at: '2025-01-31' }
    const other = { ...sent, id: 'eight', created_at: 1_738_324_800 }
    const personal = { first_name: 'Ada', newer: { document: 'X0000000' } }
    let records: object[] = [sent, other]
    const returned = () => records.map(record => ({ ...record, ...personal }))
    const provider = await serve(t, (_request, response) => json(response, returned()))
    const variables = { KYC_URL: `${provider.url}/sessions?v=2`, KYC_API_KEY: 'sealed letter' }
    const server = await build(t, variables, { devnet })
    const ask = async () => (await server.inject({ method: 'POST', url: '/kyc', body: { uuid } })).json()
    t.strictSame(await ask(), records)
    t.match(provider.seen[0], {
      method: 'GET',
      url: `/sessions?filter%5Bexternal_uuid%5D=${uuid}&v=2`,
      headers: { authorization: 'sealed letter' }
    })
    records = [sent, { ...sent, external_uuid: kycSessions.declined }]
    t.match(await ask(), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  })
})
