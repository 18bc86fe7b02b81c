import { readdirSync, readFileSync } from 'node:fs'
import { test } from '../helpers/tap.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('every command in docs/exactly-once.md names an existing test', async t => {
  const commands = [...read('docs/exactly-once.md').matchAll(/npx tap ((?:-g "[^"]+" )*).*?(\S+\.test\.ts)/g)]
  t.ok(commands.length > 30)
  for (const [command, patterns = '', path = ''] of commands) {
    // Some titles are built from parts, so any string literal of the file counts.
    const texts = String(read(path).match(/'[^'\n]*'|`[^`\n]*`/g))
    for (const [, pattern = ''] of patterns.matchAll(/-g "([^"]+)"/g)) {
      // `POINT` stands for each point of the table.
      if (pattern !== 'POINT') t.ok(texts.includes(pattern), command)
    }
  }
})

test('docs/exactly-once.md lists every point at which the tests kill the server', async t => {
  const points = read('test/faults/long/crash-points.test.ts').matchAll(/name: '([^']+)'/g)
  const rows = read('docs/exactly-once.md').matchAll(/^\| `((?:before|after|during|broadcast) [^`]+)` \|/gm)
  const names = (matches: Iterable<RegExpMatchArray>) => [...matches].map(([, name]) => name)
  t.strictSame(names(rows), names(points))
})

test('docs/exactly-once.md names every test of a fault on the real chain', async t => {
  const folder = 'test/real-chain/acceptance/'
  const tests = readdirSync(new URL(`../../${folder}`, import.meta.url)).filter(name =>
    name.endsWith('.test.ts')
  )
  const text = read('docs/exactly-once.md')
  t.ok(tests.length > 0)
  t.strictSame(
    // It is about reading states, where nothing fails.
    tests.filter(name => name !== 'status.test.ts' && !text.includes(folder + name)),
    []
  )
})
