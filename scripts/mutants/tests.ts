import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesOf, PRODUCT } from './copies.ts'
import type { Measured } from './run-files.ts'

const NODE = [
  ...['--import=tsx/esm', '--import=./test/helpers/without-hooks.js'],
  ...['--single-threaded-gc', '--max-semi-space-size=64']
]
const RUN_FILES = join(import.meta.dirname, 'run-files.ts')

/** The test files that `npm test` runs. */
const TEST = /^test\/(?!(suite|apart|image|real-chain)\/|(.*\/)?long\/).*\.test\.ts$/

/**
 * Runs test files in a process of their own.
 * @param limit the most seconds for a file
 * @returns the first file that failed or exceeded its limit
 */
export function runFiles(
  copy: string,
  task: { files: string[]; load?: string[]; into?: string },
  limit: (file: string) => number
) {
  const env = {
    ...process.env,
    TASK: JSON.stringify(task),
    TAP_BAIL: task.load ? '0' : '1',
    TAP_TIMEOUT: '36000'
  }
  const child = spawn(process.execPath, [...NODE, RUN_FILES], {
    cwd: copy,
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe']
  })
  return new Promise<{ file: string; isLate: boolean } | undefined>(resolve => {
    let [file = ''] = task.files
    let timer = setTimeout(() => child.kill('SIGKILL'), 600_000)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const started = [...text.matchAll(/^@ (.+)$/gm)].at(-1)?.[1]
      if (started === undefined) return
      file = started
      clearTimeout(timer)
      timer = setTimeout(() => child.kill('SIGKILL'), limit(file) * 1000)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      // Its databases and servers; there may be none.
      spawn('kill', ['-KILL', '--', `-${child.pid}`], { stdio: 'ignore' })
      resolve(code === 0 ? undefined : { file, isLate: signal === 'SIGKILL' })
    })
  })
}

/** Measures which lines each test file executes, once for each commit. */
export async function measureTests(copy: string, cached: string, jobs: number): Promise<Measured> {
  const load = filesOf(copy).filter(path => PRODUCT.test(path) && !/^(bin|server)\.ts$/.test(path))
  const queue = filesOf(copy).filter(path => TEST.test(path))
  const measured: Measured = existsSync(cached) ? JSON.parse(readFileSync(cached, 'utf8')) : {}
  const work = async (): Promise<void> => {
    for (let files = queue.splice(0, 20); files.length > 0; files = queue.splice(0, 20)) {
      const into = `${cached}.${queue.length}`
      if (!existsSync(into)) await runFiles(copy, { files, load, into }, () => 36_000)
      Object.assign(measured, JSON.parse(readFileSync(into, 'utf8')))
      process.stderr.write(`${queue.length} test files to measure\n`)
    }
  }
  if (existsSync(cached)) return measured
  mkdirSync(dirname(cached), { recursive: true })
  await Promise.all(Array.from({ length: jobs }, work))
  writeFileSync(cached, JSON.stringify(measured))
  return measured
}

/** Returns whether a file of the copy imports another. */
const imports = (copy: string, path: string, other: string) =>
  [...readFileSync(join(copy, path), 'utf8').matchAll(/'(\.[^']+\.ts)'/g)].some(
    ([, to = '']) => join(dirname(path), to) === other
  )

/**
 * Returns the test files that execute a line, those with the most similar path and the shortest first, and last those
 * that failed when they were measured. A line that is executed while the product loads concerns those that execute
 * anything of its file or of what imports it, directly or not; one that is not measured may be executed by a process of a test.
 */
export function testsOf(copy: string, file: string, line: number, measured: Measured): string[] {
  const isLoaded = measured['']?.lines[file]?.includes(line)
  const product = filesOf(copy).filter(path => PRODUCT.test(path))
  const users = new Set([file])
  for (const user of users) for (const path of product) if (imports(copy, path, user)) users.add(path)
  const uses = (test: string) => [...users].some(path => (measured[test]?.lines[path] ?? []).length > 0)
  const executes = (test: string) => measured[test]?.lines[file]?.includes(line) || (isLoaded && uses(test))
  const starts = (test: string) => /helpers\/(server-)?process/.test(readFileSync(join(copy, test), 'utf8'))
  const all = Object.keys(measured).filter(test => test !== '')
  const direct = all.filter(executes)
  const parts = file.replace('.ts', '').split('/')
  const rank = (test: string) => {
    const likeness = parts.filter(part => test.split(/[/.]/).includes(part)).length
    return (measured[test]?.seconds ?? 0) + 1e6 * ((measured[test]?.passed ? 0 : 100) - likeness)
  }
  return (direct.length > 0 ? direct : all.filter(starts)).sort((a, b) => rank(a) - rank(b))
}
