import { test } from 'tap'
import { build } from '../helper.ts'

test('GET /health answers the text ok', async t => {
  const app = await build(t)
  const response = await app.inject('/health')
  t.equal(response.statusCode, 200)
  t.equal(response.body, 'ok')
  t.match(response.headers['content-type'], /^text\/plain/)
})
