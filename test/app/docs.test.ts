import { test } from 'tap'
import { build, startNetwork } from '../helper.ts'

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  responses: Record<string, unknown>
}

interface Document {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  tags: { name: string }[]
}

test('API documentation', async t => {
  const devnet = await startNetwork(t)

  t.test('is served in development', async t => {
    const app = await build(t, { NODE_ENV: 'development' }, { devnet })
    const page = await app.inject('/docs')
    t.equal(page.statusCode, 200)
    t.match(page.headers['content-type'], /^text\/html/)
    const document = (await app.inject('/docs/json')).json<Document>()
    t.match(document.openapi, /^3\.1\./)

    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation }))
    )
    t.ok(operations.length > 0)
    const known = document.tags.map(({ name }) => name)
    for (const { name, operation } of operations) {
      t.match(operation, { operationId: String, summary: String, description: String }, name)
      t.ok(operation.tags?.length && operation.tags.every(tag => known.includes(tag)), `tags of ${name}`)
      t.ok(
        Object.keys(operation.responses).some(status => status.startsWith('2')),
        `success of ${name}`
      )
    }
    const ids = operations.map(({ operation }) => operation.operationId)
    t.equal(new Set(ids).size, ids.length, 'operationIds are unique')
  })

  t.test('is not there otherwise', async t => {
    for (const NODE_ENV of ['production', 'test']) {
      const app = await build(t, { NODE_ENV }, { devnet })
      for (const url of ['/docs', '/docs/', '/docs/json', '/docs/static/index.html']) {
        const response = await app.inject(url)
        t.equal(response.statusCode, 404, `${url} in ${NODE_ENV}`)
        t.match(response.json(), { code: 'NOT_FOUND' })
      }
    }
  })
})
