import { build, startNetwork } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('API documentation', async t => {
  const devnet = await startNetwork(t)

  t.test('the API documentation is served in development', async t => {
    const app = await build(t, { NODE_ENV: 'development' }, { devnet })
    const page = await app.inject('/docs')
    t.equal(page.statusCode, 200)
    t.match(page.headers['content-type'], /^text\/html/)
    t.strictSame((await app.inject('/docs/json')).json(), app.swagger())
  })

  t.test('the API documentation is not served in production or test', async t => {
    for (const NODE_ENV of ['production', 'test']) {
      const app = await build(t, { NODE_ENV }, { devnet })
      for (const url of ['/docs', '/docs/', '/docs/json', '/docs/static/index.html']) {
        const response = await app.inject(url)
        t.equal(response.statusCode, 404, `${url} in ${NODE_ENV}`)
        t.match(response.json(), { code: 'ROUTE_NOT_FOUND' })
      }
    }
  })
})
