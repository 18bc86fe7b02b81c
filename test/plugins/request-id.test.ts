import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('every answer has the request id, successful ones as well', async t => {
  const server = await build(t)
  const { statusCode, headers } = await server.inject({ url: '/health', headers: { 'x-request-id': 'mine' } })
  t.equal(statusCode, 200)
  t.equal(headers['x-request-id'], 'mine')
})
