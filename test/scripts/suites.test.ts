import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from '../helpers/run-files.ts'
import { test } from '../helpers/tap.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const PATTERNS = /\btest\/\S+\.test\.ts/g

/** The files that such patterns of the shell name. */
function expand(patterns: string[]): string[] {
  const command = `shopt -s globstar nullglob; printf '%s\\n' ${patterns.join(' ')}`
  return execFileSync('bash', ['-c', command], { cwd: root, encoding: 'utf8' }).trim().split('\n')
}

/** A file itself, or those that a file of `test/suite` or `test/apart` runs. */
function filesOf(path: string): string[] {
  const [, folders] = /^runFiles\((.*)\)$/ms.exec(read(path)) ?? []
  if (folders === undefined) return [path]
  const json = folders.replaceAll("'", '"').replace(/(\w+):/g, '"$1":')
  return filesIn(JSON.parse(json)).map(name => `test/${name}`)
}

test('what a test starts runs without what tap loads into its own processes', t => {
  t.equal(`${execFileSync(process.execPath, ['-p', 'process.env.NODE_OPTIONS'])}`, 'undefined\n')
  t.end()
})

test('every test file belongs to one of npm test, test:others, test:image and test:chain', t => {
  const { scripts } = JSON.parse(read('package.json'))
  const suites = [read('.taprc'), ...['others', 'image', 'chain'].map(name => scripts[`test:${name}`])]
  const reached = suites.flatMap(suite => expand(suite.match(PATTERNS) ?? []).flatMap(filesOf))
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map(name => `test/${name}`)
    .filter(name => /^test\/(?!apart\/|suite\/).*\.test\.ts$/.test(name))
  t.same(reached.sort(), all.sort())
  t.end()
})
