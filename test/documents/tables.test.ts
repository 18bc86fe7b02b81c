import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { type OpenApiDocument, operationsOf } from '../openapi/document.ts'

test('docs/interface.md lists every endpoint', async t => {
  const document: OpenApiDocument = JSON.parse(read('openapi.json'))
  const documented = operationsOf(document).map(
    ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`
  )
  const [, section = ''] = read('docs/interface.md').split(/\*\*16\.[12]\*\*/)
  const rows = section.match(/^\| `(GET|POST) .*$/gm) ?? []
  const listed = rows.flatMap(row =>
    [...row.matchAll(/`((?:GET|POST) [^`?]+)(\?[^`]*)?`/g)].map(([, route]) => route)
  )
  // These endpoints are not in the OpenAPI document.
  const pages = ['GET /docs', 'GET /docs/json', 'GET /playground']
  const aliases = ['GET /submit/fee', 'POST /submit']
  t.same(listed.sort(), [...documented, ...pages, ...aliases].sort())
})
