import { kycSessions } from '../../packages/devnet/kyc/index.ts'
import { build } from '../helpers/app.ts'
import { json, serve } from '../helpers/local-server.ts'
import { test } from '../helpers/tap.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('GET /uuid returns a new UUIDv4 as plain text', async t => {
  const server = await build(t)
  const seen = new Set<string>()
  for (let count = 0; count < 5; count += 1) {
    const response = await server.inject('/uuid')
    t.equal(response.statusCode, 200)
    t.match(response.headers['content-type'], /^text\/plain/)
    t.equal(response.headers['cache-control'], 'no-store')
    t.match(response.body, UUID_V4)
    seen.add(response.body)
  }
  t.equal(seen.size, 5)
})

test('POST /kyc returns the provider’s records', async t => {
  const server = await build(t)
  const ask = async (uuid: string) => {
    const response = await server.inject({ method: 'POST', url: '/kyc', body: { uuid, other: true } })
    t.equal(response.statusCode, 200)
    return response.json()
  }
  const { body: uuid } = await server.inject('/uuid')
  t.match(await ask(uuid), [{ id: /./, external_uuid: uuid, status: 'approved', created_at: Number }])
  t.match(await ask(kycSessions.declined), [{ status: 'declined' }])
  t.match(await ask(kycSessions.pending), [{ status: 'pending' }])
  t.match(await ask(kycSessions.repeated), [{ status: 'declined' }, { status: 'approved' }])
  t.match(await ask(kycSessions.single), [{ status: 'approved' }])
  t.strictSame(await ask(kycSessions.unknown), [])
})

test('GET /kyc?uuid= returns the same as POST /kyc', async t => {
  const server = await build(t)
  const uuid = kycSessions.repeated
  const posted = (await server.inject({ method: 'POST', url: '/kyc', body: { uuid } })).json()
  t.strictSame((await server.inject({ url: '/kyc', query: { uuid } })).json(), posted)
  t.equal(posted.length, 2)
  t.match((await server.inject({ url: '/kyc', query: { uuid: 'me' } })).json(), {
    code: 'VALIDATION',
    message: 'query/uuid must be a UUID of version 4'
  })
  const without = await build(t, { KYC_URL: '', KYC_API_KEY: '' })
  t.equal((await without.inject({ url: '/kyc', query: { uuid } })).statusCode, 501)
})

test('removes personal data from the provider’s records', async t => {
  const uuid = 'ABCD0000-0000-4000-8000-0000000000d2'
  const external_uuid = 'abcd0000-0000-4000-8000-0000000000D2'
  const sent = { id: 7, status: 'approved', external_uuid, created_at: '2025-01-31' }
  const record = { ...sent, first_name: 'Ada', newer: { document: 'X0000000' } }
  let answer: object = record
  const provider = await serve(t, (_request, response) => json(response, answer))
  const server = await build(t, { KYC_URL: `${provider.url}/sessions?v=2`, KYC_API_KEY: 'sealed letter' })
  const ask = () => server.inject({ method: 'POST', url: '/kyc', body: { uuid } })
  t.strictSame((await ask()).json(), [sent])
  answer = [record, { ...record, id: 'eight', created_at: 1_738_324_800 }]
  t.strictSame((await ask()).json(), [sent, { ...sent, id: 'eight', created_at: 1_738_324_800 }])
  t.match(provider.seen[0], {
    method: 'GET',
    url: `/sessions?filter%5Bexternal_uuid%5D=${uuid}&v=2`,
    headers: { authorization: 'sealed letter' }
  })
})

test('rejects a provider response that contains another user’s record', async t => {
  const own = { id: 1, status: 'approved', external_uuid: kycSessions.pending, created_at: '2025-01-31' }
  const other = { ...own, external_uuid: kycSessions.declined }
  const provider = await serve(t, (_request, response) => json(response, [own, other]))
  const server = await build(t, { KYC_URL: provider.url, KYC_API_KEY: 'sealed letter' })
  const response = await server.inject({ method: 'POST', url: '/kyc', body: { uuid: kycSessions.pending } })
  t.match(response.json(), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

test('rejects values other than a UUIDv4 and names the field', async t => {
  const server = await build(t)
  for (const uuid of [
    undefined,
    null,
    7,
    '',
    'x',
    '00000000-0000-1000-8000-000000000000',
    `${kycSessions.pending} `
  ]) {
    const response = await server.inject({ method: 'POST', url: '/kyc', body: { uuid } })
    t.match(response.json(), { statusCode: 400, code: 'VALIDATION', details: [{ path: '/uuid' }] })
  }
})

test('returns 501 if no provider is configured', async t => {
  const server = await build(t, { KYC_URL: '', KYC_API_KEY: '' })
  const response = await server.inject({ method: 'POST', url: '/kyc', body: { uuid: kycSessions.pending } })
  t.match(response.json(), { statusCode: 501, code: 'NOT_CONFIGURED', error: 'Not Implemented' })
  t.equal((await server.inject('/uuid')).statusCode, 200)
})
