import { readdirSync } from 'node:fs'
import { t as root } from 'tap'
import { collectIn } from './tap.ts'

const tests = new URL('../', import.meta.url)

/** What `npm test` leaves to scripts of its own, and the files that call this. */
const elsewhere = [
  'apart',
  'bench',
  'browser',
  'deploy',
  'documents/long',
  'faults/long',
  'faults/nodes',
  'fuzz/long',
  'image',
  'openapi/long',
  'operator/long',
  'ops',
  'package',
  'plugins/long',
  'real-chain',
  'replicas',
  'server/long',
  'services/submission/store/long',
  'services/submission/store/postgres',
  'signers',
  'simulation/long',
  'suite'
]

/** Ends a file that hangs, in milliseconds: far longer than one takes on a slow, busy machine. */
const timeout = 1_800_000

export interface Folders {
  /** All when left out. */
  of?: string[]
  except?: string[]
}

/**
 * The test files below some folders of `test/`, in the order in which they run; of those that have a script of their own
 * none but what `of` names.
 */
export function filesIn({ of, except = [] }: Folders): string[] {
  const isIn = (folders: string[], path: string) => folders.some(folder => path.startsWith(`${folder}/`))
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts') && (of === undefined || isIn(of, path)))
    .filter(path => !isIn([...elsewhere.filter(folder => !of?.includes(folder)), ...except], path))
    .sort()
}

/**
 * Runs the tests below some folders of `test/` in this process, file by file: loading the application takes longer than
 * most files. Each file is a test, named as the file.
 */
export function runFiles(folders: Folders): void {
  for (const path of filesIn(folders)) {
    root.test(`test/${path}`, { timeout }, async file => {
      collectIn(file)
      await import(new URL(path, tests).href)
    })
  }
}
