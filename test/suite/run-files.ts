import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { t as root } from 'tap'
import { collectIn } from '../helpers/tap.ts'

const tests = join(import.meta.dirname, '..')

/** Timeout per test file in milliseconds: far longer than any file takes on a slow, busy machine. */
const timeout = 1_800_000

const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.test.ts'))
  .sort()

/** Returns the folder that a suite runs: `suite/routes.submit.test.ts` runs `routes/submit`, `suite/others.test.ts` the rest. */
function folderOf(suite: string): string {
  const [, name = ''] = /([^/]+)\.test\.ts$/.exec(suite) ?? []
  return name === 'others' ? '' : `${name.replaceAll('.', '/')}/`
}

const deepestFirst = files
  .filter(path => /^(suite|apart)\//.test(path))
  .sort((a, b) => folderOf(b).length - folderOf(a).length)

/** Files that run in a separate process. */
const ALONE = /^(suite|apart|image|real-chain)\/|(^|\/)long\//

/** Returns the files that a suite runs, in order: its folder's, except those that a subfolder's suite runs. */
export function filesIn(suite: string): string[] {
  const suiteOf = (path: string) => deepestFirst.find(candidate => path.startsWith(folderOf(candidate)))
  return files.filter(path => !ALONE.test(path) && suiteOf(path) === suite)
}

/**
 * Runs the files of a suite in this process, one after another, because loading the application takes longer than most
 * files. Each file becomes a test with its name.
 */
export function runFiles({ filename }: ImportMeta): void {
  for (const path of filesIn(relative(tests, filename))) {
    root.test(`test/${path}`, { timeout }, async file => {
      collectIn(file)
      await import(join(tests, path))
    })
  }
}
