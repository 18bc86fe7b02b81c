import type { ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../services/schema-check.ts'
import { createChainApi } from '../../../services/upstream/chain-api.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const List = checkFor(Type.Object({ list: Type.Array(Type.String()) }))

async function chainApiTo(t: Test, answer: (request: SeenRequest, response: ServerResponse) => void) {
  const server = await serve(t, answer)
  const api = createChainApi({ baseUrl: server.url, modulePath: '/a-finance/a-blockchain' })
  t.teardown(() => api.close())
  return { server, api }
}

test('finds a record by id under the module path', async t => {
  const { server, api } = await chainApiTo(t, (_q, r) => json(r, { thing: { index: '7' } }))
  t.same(await api.find('/things/thing', '7', 'thing'), { index: '7' })
  t.equal(server.seen[0]?.url, '/a-finance/a-blockchain/things/thing/7')
  await t.rejects(api.find('/things/thing', '7', 'other'), {
    statusCode: 502,
    message: 'chain API: the response has no other'
  })
})

test('escapes the id in the path', async t => {
  const { server, api } = await chainApiTo(t, (_q, r) => json(r, { thing: { index: '7' } }))
  await api.find('/things/thing', '../x?y=1', 'thing')
  t.equal(server.seen[0]?.url, '/a-finance/a-blockchain/things/thing/..%2Fx%3Fy%3D1')
})

const NOT_FOUND: [number, object][] = [
  [404, { code: 5, message: 'not found', details: [] }],
  [400, { code: 3, message: 'type mismatch, parameter: id, error: value out of range', details: [] }],
  [500, { code: 2, message: 'codespace sdk code 38: key not found', details: [] }],
  [500, { code: 2, message: `transaction ${'7'.repeat(400)}: key not found`, details: [] }]
]
for (const [status, body] of NOT_FOUND) {
  test(`the gateway’s ${status} ${JSON.stringify(body)} means not found`, async t => {
    const { api } = await chainApiTo(t, (_q, r) => json(r, body, status))
    t.equal(await api.find('/things/thing', '7', 'thing'), undefined)
    t.equal(await api.get('/things', List), undefined)
  })
}

const FAULTS: [string, (response: ServerResponse) => void][] = [
  ['a proxy’s 404', r => json(r, { message: 'Not Found' }, 404)],
  ['a cache’s error about a missing key', r => json(r, { message: 'key not found' }, 404)],
  ['a code that is a string', r => json(r, { code: 'NotFound', message: 'key not found' }, 404)],
  [
    'a path that the gateway does not serve',
    r => json(r, { code: 12, message: 'Not Implemented', details: [] }, 501)
  ]
]
for (const [name, answer] of FAULTS) {
  test(`${name} results in a 502`, async t => {
    const { api } = await chainApiTo(t, (_q, r) => answer(r))
    await t.rejects(api.find('/things/thing', '7', 'thing'), { code: 'UPSTREAM_ERROR', statusCode: 502 })
    await t.rejects(api.get('/things', List), { code: 'UPSTREAM_ERROR', statusCode: 502 })
  })
}
