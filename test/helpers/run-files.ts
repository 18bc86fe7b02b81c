import { readdirSync } from 'node:fs'
import { t as root } from 'tap'
import { collectIn } from './tap.ts'

const tests = new URL('../', import.meta.url)

/** What `npm test` leaves to scripts of its own, and the files that call this. */
const elsewhere = [
  'browser',
  'deploy',
  'documents/long',
  'faults/long',
  'faults/nodes',
  'fuzz/long',
  'image',
  'operator/long',
  'ops',
  'package',
  'plugins/long',
  'real-chain',
  'replicas',
  'server/long',
  'services/submission/store/long',
  'services/submission/store/postgres',
  'simulation/long',
  'suite'
]

/** For a file on a busy machine, in milliseconds. */
const timeout = 300_000

interface Folders {
  /** All when left out. */
  of?: string[]
  except?: string[]
}

/**
 * Runs the tests below some folders of `test/` in this process, file by file: loading the application takes longer than
 * most files. Each file is a test, named as the file.
 */
export function runFiles({ of, except = [] }: Folders): void {
  const isIn = (folders: string[], path: string) => folders.some(folder => path.startsWith(`${folder}/`))
  const paths = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts') && (of === undefined || isIn(of, path)))
    .filter(path => !isIn([...elsewhere, ...except], path))
  for (const path of paths.sort()) {
    root.test(`test/${path}`, { timeout }, async file => {
      collectIn(file)
      await import(new URL(path, tests).href)
    })
  }
}
