import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Range, RangeResult } from './simulate-range.ts'

const SCRIPT = fileURLToPath(new URL('./simulate-range.ts', import.meta.url))

/** The path of libsql, which contains native code and so is not bundled. */
const LIBSQL = fileURLToPath(import.meta.resolve('libsql'))

/** Number of schedules assigned to a process at a time. */
const CHUNK = 100

export interface Totals extends Omit<RangeResult, 'failures'> {
  schedules: number
  failed: number
  seconds: number
}

/**
 * Bundles the worker script. Running the script with tsx would be slow: whenever a function is created, code that tsx
 * adds sets its name.
 */
async function bundle(folder: string): Promise<string> {
  const outfile = join(folder, 'simulate-range.mjs')
  const banner = {
    js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`
  }
  const apart = { alias: { libsql: LIBSQL }, external: [LIBSQL] }
  await build({
    entryPoints: [SCRIPT],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner,
    ...apart
  })
  return outfile
}

/** Runs many schedules in one process per CPU, and prints each failure. */
export async function simulateMany(range: Range, print: (line: string) => void): Promise<Totals> {
  const folder = await mkdtemp(join(tmpdir(), 'simulation-'))
  try {
    return await simulateWith(await bundle(folder), range, print)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function simulateWith(script: string, range: Range, print: (line: string) => void): Promise<Totals> {
  const { from, count, only } = range
  const end = from + count
  const totals = { schedules: count, failed: 0, submissions: 0, starts: 0, blocks: 0 }
  const startedAt = performance.now()
  let next = from

  function add({ failures, submissions, starts, blocks }: RangeResult): void {
    totals.failed += failures.length
    totals.submissions += submissions
    totals.starts += starts
    totals.blocks += blocks
    for (const failure of failures) print(failure)
  }

  async function work(): Promise<void> {
    const child = fork(script, { execArgv: [] })
    child.once('exit', (code, signal) => {
      if (code || signal)
        child.emit('error', new Error(`a simulation process exited with ${signal ?? `code ${code}`}`))
    })
    while (next < end) {
      const chunk: Range = { from: next, count: Math.min(CHUNK, end - next), only }
      next += chunk.count
      child.send(chunk)
      const [result]: RangeResult[] = await once(child, 'message')
      if (result) add(result)
    }
    child.disconnect()
  }

  const processes = Math.min(availableParallelism(), Math.ceil(count / CHUNK))
  await Promise.all(Array.from({ length: processes }, work))
  return { ...totals, seconds: Math.round((performance.now() - startedAt) / 1000) }
}
