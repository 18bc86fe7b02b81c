import { readFileSync } from 'node:fs'
import { test } from '../helpers/tap.ts'
import { knownDifferences } from '../real-chain/conformance/differences.ts'

test('the README lists the known differences from a node', async t => {
  const readme = readFileSync(new URL('../../packages/devnet/README.md', import.meta.url), 'utf8')
  const [, section = ''] = readme.split('## Where it differs from a node')
  const [chapter = ''] = section.split('\n## ')
  t.strictSame(
    [...chapter.matchAll(/^- (.+)$/gm)].map(([, what]) => what),
    knownDifferences.map(({ what }) => what)
  )
})
