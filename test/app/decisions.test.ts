import { readdirSync, readFileSync } from 'node:fs'
import { test } from '../helpers/tap.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the table of decisions has a row for each record', async t => {
  const records = readdirSync(new URL('../../docs/decisions', import.meta.url)).filter(
    name => name !== 'README.md'
  )
  const rows = [...read('docs/decisions/README.md').matchAll(/^\| \[(\d{4})\]\((\1-[a-z0-9-]+\.md)\) \|/gm)]
  t.same(rows.map(([, , file]) => file).sort(), records.sort())
  for (const file of records) {
    t.match(read(`docs/decisions/${file}`), new RegExp(`^# ${Number(file.slice(0, 4))}\\. `), file)
  }
})

/** `overrides` of package.json as rows of a table: the package, whose dependency it is, the version. */
function overridesOf(manifest: { overrides: Record<string, string | Record<string, string>> }): string[] {
  return Object.entries(manifest.overrides).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`| \`${name}\` | ${value} |`]
      : Object.entries(value).map(([inner, version]) => `| \`${inner}\` (of \`${name}\`) | ${version} |`)
  )
}

test('each override of package.json has its reason in the records', async t => {
  const rows = read('docs/decisions/0005-overrides.md').match(/^\| `[^|]+\| \d[^|]*\|/gm)
  t.same(rows?.sort(), overridesOf(JSON.parse(read('package.json'))).sort())
})
