import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { errorCatalogue } from '../../src/services/errors.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the README lists the error codes as they are', async t => {
  const rows = read('README.md').match(/^\| `[A-Z_]+` \| \d{3} \|.*$/gm)
  const expected = Object.entries(errorCatalogue).map(
    ([code, { statusCode, meaning }]) => `| \`${code}\` | ${statusCode} | ${meaning} |`
  )
  t.strictSame(rows, expected)
})

test('the README names scripts that exist', async t => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...read('README.md').matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name)
  t.ok(named.length > 0)
  for (const name of named) t.type(scripts[name], 'string', name)
})
