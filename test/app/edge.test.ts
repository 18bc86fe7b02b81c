import { createKey } from '../../services/callers/key-file.ts'
import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('at the HTTP edge', async t => {
  const app = await build(t)

  t.test('GET /health returns ok', async t => {
    const response = await app.inject('/health')
    t.equal(response.statusCode, 200)
    t.equal(response.body, 'ok')
    t.match(response.headers['content-type'], /^text\/plain/)
    const head = await app.inject({ method: 'HEAD', url: '/health' })
    t.equal(head.statusCode, 200)
    t.equal(head.body, '')
  })

  t.test('keeps a valid request id from the client and replaces an invalid one', async t => {
    const idFor = async (sent: string) => {
      const response = await app.inject({ url: '/nowhere', headers: { 'x-request-id': sent } })
      t.equal(response.headers['x-request-id'], response.json().requestId)
      return response.headers['x-request-id']
    }
    for (const id of ['0af7651916cd43dd-8448:eb21.1', 'A9_.:=+-', 'x'.repeat(128)])
      t.equal(await idFor(id), id)
    for (const odd of ['', 'two words', '{"a":1}', 'x'.repeat(129), createKey()]) {
      t.match(await idFor(odd), /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    }
  })
})
