import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import type { ErrorCode } from '../../schemas/error-catalogue.ts'
import { ServiceError } from '../../services/errors/index.ts'
import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

const failing: FastifyPluginAsync = async app => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>()
  routes.get<{ Params: { code: ErrorCode } }>('/test/error/:code', async ({ params }) => {
    throw new ServiceError(params.code, 'the store is full')
  })
  const numbers = Type.Object({
    count: Type.Integer(),
    flag: Type.Optional(Type.Boolean()),
    text: Type.Optional(Type.String())
  })
  routes.post('/test/body', { schema: { body: numbers } }, async request => request.body)
  const many = Type.Object(
    Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`n${n}`, Type.Integer()]))
  )
  routes.post('/test/many', { schema: { body: many } }, async () => 'valid')
  routes.get('/test/query', { schema: { querystring: numbers } }, async request => request.query)
}

test('all errors have the same body', async t => {
  const app = await build(t, {}, { routes: failing })
  t.test('a validation error lists each invalid parameter', async t => {
    const response = await app.inject({
      method: 'POST',
      url: '/test/body',
      payload: { flag: 'yes' },
      headers: { 'x-request-id': 'mine' }
    })
    t.equal(response.statusCode, 400)
    t.strictSame(response.json(), {
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
  })

  t.test('a validation error has at most 20 details', async t => {
    const response = await app.inject({ method: 'POST', url: '/test/many', payload: {} })
    t.equal(response.json().details.length, 20)
  })

  t.test('query parameters are coerced, JSON bodies are not, and unknown properties are ignored', async t => {
    const refused = await app.inject({ method: 'POST', url: '/test/body', payload: { count: '1' } })
    t.match(refused.json(), { code: 'VALIDATION', details: [{ path: '/count', message: 'must be integer' }] })
    const taken = await app.inject({ method: 'POST', url: '/test/body', payload: { count: 1, more: 'x' } })
    t.equal(taken.statusCode, 200)
    const query = await app.inject('/test/query?count=1&flag=true&more=x')
    t.match(query.json(), { count: 1, flag: true })
    const twice = (await app.inject('/test/query?count=1&text=a&text=b')).json()
    t.match(twice, { message: 'query/text must not be given more than once', details: [{ path: '/text' }] })
  })
})
