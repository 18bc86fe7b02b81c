import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from '../helpers/tap.ts'

const root = join(import.meta.dirname, '../..')

interface Packed {
  files: { path: string }[]
}

/** The files that the package would have, without those of a build. */
function packedFiles(): string[] {
  const words = ['pack', '--dry-run', '--ignore-scripts', '--json', '--loglevel=error']
  const [packed]: Packed[] = JSON.parse(execFileSync('npm', words, { cwd: root, encoding: 'utf8' }))
  return packed?.files.map(({ path }) => path) ?? []
}

test('every link of a document in the package leads to a file in it, or to a web page', async t => {
  const files = packedFiles()
  const documents = files.filter(path => path.endsWith('.md') && !path.startsWith('dist/'))
  t.ok(documents.includes('README.md') && documents.includes('docs/operations.md'))
  const dead = documents.flatMap(path =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"\s]+)"/g)]
      .map(([, link, attribute]) => (link ?? attribute ?? '').split('#', 1).join())
      .filter(link => link !== '' && !/^https?:/.test(link))
      .filter(link => !files.includes(posix.join(posix.dirname(path), link)))
      .map(link => `${path}: ${link}`)
  )
  t.same(dead, [])
})
