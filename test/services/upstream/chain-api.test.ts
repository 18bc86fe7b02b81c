import type { ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../services/schema-check.ts'
import { createChainApi } from '../../../services/upstream/chain-api.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const List = checkFor(Type.Object({ list: Type.Array(Type.String()) }))

async function chainApiTo(t: Test, answer: (response: ServerResponse) => void) {
  const server = await serve(t, (_request, response) => answer(response))
  const api = createChainApi({ baseUrl: server.url, modulePath: '/a-finance/a-blockchain' })
  t.teardown(() => api.close())
  return api
}

const NOT_FOUND: [number, object][] = [
  [404, { code: 5, message: 'not found', details: [] }],
  [400, { code: 3, message: 'type mismatch, parameter: id, error: value out of range', details: [] }],
  [500, { code: 2, message: 'codespace sdk code 38: key not found', details: [] }],
  [500, { code: 2, message: `transaction ${'7'.repeat(400)}: key not found`, details: [] }]
]
test('treats a gateway response about a missing record as not found', async t => {
  for (const [status, body] of NOT_FOUND) {
    const api = await chainApiTo(t, r => json(r, body, status))
    t.equal(await api.find('/things/thing', '7', 'thing'), undefined, `${status} ${JSON.stringify(body)}`)
    t.equal(await api.get('/things', List), undefined)
  }
})

const FAULTS: [string, (response: ServerResponse) => void][] = [
  ['a response without the record', r => json(r, { other: { index: '7' } })],
  ['a proxy’s 404', r => json(r, { message: 'Not Found' }, 404)],
  ['a cache’s error about a missing key', r => json(r, { message: 'key not found' }, 404)],
  ['a code that is a string', r => json(r, { code: 'NotFound', message: 'key not found' }, 404)],
  ['a path that is not served', r => json(r, { code: 12, message: 'Not Implemented', details: [] }, 501)]
]
test('any other failure of the chain API results in a 502', async t => {
  for (const [name, answer] of FAULTS) {
    const api = await chainApiTo(t, answer)
    const error = { code: 'UPSTREAM_ERROR', statusCode: 502 }
    await t.rejects(api.find('/things/thing', '7', 'thing'), error, name)
  }
})
