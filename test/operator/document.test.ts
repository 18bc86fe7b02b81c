import { existsSync, readFileSync } from 'node:fs'
import { BLOCKER_KINDS } from '../../services/submission/contract.ts'
import { test } from '../helpers/tap.ts'

const root = new URL('../../', import.meta.url)
const text = readFileSync(new URL('docs/operations.md', root), 'utf8')

test('docs/operations.md refers to an existing test for each procedure', async t => {
  const procedures = text.slice(text.indexOf('## Procedures')).split(/^### /m).slice(1)
  for (const procedure of procedures) {
    const [title = ''] = procedure.split('\n', 1)
    const tests = [...procedure.matchAll(/npx tap (\S+\.test\.ts)/g)].map(([, path = '']) => path)
    t.equal(tests.length, 1, title)
    for (const path of tests) t.ok(existsSync(new URL(path, root)), path)
  }
})

test('docs/operations.md lists every blocker', async t => {
  for (const name of BLOCKER_KINDS) t.ok(text.includes(`| \`${name}\` |`), name)
})
