import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { t as root } from 'tap'
import { collectIn } from './tap.ts'

const tests = join(import.meta.dirname, '..')

/** Ends a file that hangs, in milliseconds: far longer than one takes on a slow, busy machine. */
const timeout = 1_800_000

const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.test.ts'))
  .sort()

/** `suite/routes.submit.test.ts` runs the folder `routes/submit`, `suite/others.test.ts` all that no other suite runs. */
function folderOf(suite: string): string {
  const [, name = ''] = /([^/]+)\.test\.ts$/.exec(suite) ?? []
  return name === 'others' ? '' : `${name.replaceAll('.', '/')}/`
}

const deepestFirst = files
  .filter(path => /^(suite|apart)\//.test(path))
  .sort((a, b) => folderOf(b).length - folderOf(a).length)

/** Files with a process of their own. */
const ALONE = /^(suite|apart|image|real-chain)\/|(^|\/)long\//

/** The test files that a file of `suite/` or `apart/` runs, in order: those of its folder that no suite of a subfolder runs. */
export function filesIn(suite: string): string[] {
  const suiteOf = (path: string) => deepestFirst.find(candidate => path.startsWith(folderOf(candidate)))
  return files.filter(path => !ALONE.test(path) && suiteOf(path) === suite)
}

/**
 * Runs the files of a suite in this process, one after another: loading the application takes longer than most files. Each
 * file is a test, named as the file.
 */
export function runFiles({ filename }: ImportMeta): void {
  for (const path of filesIn(relative(tests, filename))) {
    root.test(`test/${path}`, { timeout }, async file => {
      collectIn(file)
      await import(join(tests, path))
    })
  }
}
