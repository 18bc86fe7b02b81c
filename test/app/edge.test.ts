import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { createKey } from '../../services/callers/key-file.ts'
import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('keeps a valid request id from the client and replaces an invalid one', async t => {
  const app = await build(t)
  const idFor = async (sent: string) => {
    const response = await app.inject({ url: '/nowhere', headers: { 'x-request-id': sent } })
    t.equal(response.headers['x-request-id'], response.json().requestId)
    return response.headers['x-request-id']
  }
  for (const id of ['0af7651916cd43dd-8448:eb21.1', 'A9_.:=+-', 'x'.repeat(128)]) t.equal(await idFor(id), id)
  for (const odd of ['', 'two words', '{"a":1}', 'x'.repeat(129), createKey()])
    t.match(await idFor(odd), /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
})

const routes: FastifyPluginAsync = async app => {
  const [count, flag, text] = [Type.Integer(), Type.Optional(Type.Boolean()), Type.Optional(Type.String())]
  const numbers = Type.Object({ count, flag, text })
  app.post('/test/body', { schema: { body: numbers } }, async ({ body }) => body)
  app.get('/test/query', { schema: { querystring: numbers } }, async ({ query }) => query)
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`n${n}`, count]))
  app.post('/test/many', { schema: { body: Type.Object(many) } }, async () => 'valid')
}

test('a validation error lists each invalid parameter', async t => {
  const app = await build(t, {}, { routes })
  const post = async (payload: object, url = '/test/body') =>
    (await app.inject({ method: 'POST', url, payload, headers: { 'x-request-id': 'mine' } })).json()
  t.strictSame(await post({ flag: 'yes' }), {
    statusCode: 400,
    code: 'VALIDATION',
    error: 'Bad Request',
    message: 'body/count is required',
    requestId: 'mine',
    docUrl: 'docs/errors.md#validation',
    details: [
      { path: '/count', message: 'is required' },
      { path: '/flag', message: 'must be boolean' }
    ]
  })
  t.equal((await post({}, '/test/many')).details.length, 20, 'at most 20')
  t.match(await post({ count: '1' }), { details: [{ path: '/count', message: 'must be integer' }] })
  t.match(await post({ count: 1, more: 'x' }), { count: 1 }, 'unknown properties are ignored')
  t.match((await app.inject('/test/query?count=1&flag=true&more=x')).json(), { count: 1, flag: true })
  const twice = (await app.inject('/test/query?count=1&text=a&text=b')).json()
  t.match(twice, { message: 'query/text must not be given more than once', details: [{ path: '/text' }] })
})
