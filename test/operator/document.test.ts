import { readFileSync } from 'node:fs'
import { BLOCKER_KINDS } from '../../services/submission/contract.ts'
import { test } from '../helpers/tap.ts'

const root = new URL('../../', import.meta.url)
const text = readFileSync(new URL('docs/operations.md', root), 'utf8')

test('docs/operations.md lists every blocker', async t => {
  for (const name of BLOCKER_KINDS) t.ok(text.includes(`| \`${name}\` |`), name)
})
