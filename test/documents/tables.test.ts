import { readdirSync, readFileSync } from 'node:fs'
import { test } from '../helpers/tap.ts'
import { type OpenApiDocument, operationsOf } from '../openapi/document.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

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
  // These are not in the document.
  const pages = ['GET /docs', 'GET /docs/json', 'GET /playground']
  t.same(listed.sort(), [...documented, ...pages].sort())
})

test('the README names scripts that exist', async t => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...read('README.md').matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name)
  t.ok(named.length > 0)
  for (const name of named) t.type(scripts[name], 'string', name)
})

test('CONTRIBUTING describes every script', async t => {
  const { scripts } = JSON.parse(read('package.json'))
  const described = [...read('CONTRIBUTING.md').matchAll(/`([a-z:-]+)`|npm (?:run )?([a-z:-]+)/g)].map(
    ([, quoted, run]) => quoted ?? run
  )
  const own = Object.keys(scripts).filter(name => !/^(pre|post)/.test(name))
  t.same(
    own.filter(name => !described.includes(name)),
    []
  )
})

test('docs/README.md lists every page', async t => {
  const index = read('docs/README.md')
  const { files } = JSON.parse(read('package.json'))
  t.ok(files.includes('docs/*.md'))
  const pages = readdirSync(new URL('../../docs', import.meta.url)).filter(name =>
    /(?<!README)\.md$/.test(name)
  )
  for (const page of pages) {
    const isPacked = !files.includes(`!docs/${page}`)
    t.ok(index.includes(isPacked ? `](${page})` : `docs/${page}`), page)
  }
})
