import { writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { findSourceMap } from 'node:module'
import { pathToFileURL } from 'node:url'

/** What a test file executed: lines by product file, from 1. The entry '' has what loading the product executed. */
export type Measured = Record<string, { passed: boolean; seconds: number; lines: Record<string, number[]> }>

interface Task {
  files: string[]
  load?: string[]
  into: string
}

/**
 * Runs the test files of the task in TASK in this process, in the copy of the repository that is the current folder, and
 * prints `@ FILE` to stderr before each. With `load`, first loads these modules, then writes what each file executed to
 * the file `into`.
 */
const { files, load, into }: Task = JSON.parse(process.env['TASK'] ?? '')
const base = `${pathToFileURL(process.cwd())}/`
const { collectIn, t: root }: typeof import('../../test/helpers/tap.ts') = await import(
  `${base}test/helpers/tap.ts`
)
const session = new Session()
const taken: { name: string; passed: boolean; seconds: number; scripts: Profiler.ScriptCoverage[] }[] = []

async function measure(name: string, work: () => Promise<{ ok?: boolean } | null>): Promise<void> {
  const start = performance.now()
  const passed = (await work())?.ok !== false
  if (!load) return
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const scripts = result.filter(
    ({ url }) => url.startsWith(base) && !/\/(node_modules|test|packages)\//.test(url)
  )
  taken.push({ name, passed, seconds: (performance.now() - start) / 1000, scripts })
}

const known = new Map<string, number>()
async function executedLines({ scriptId, url, functions }: Profiler.ScriptCoverage): Promise<number[]> {
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
  const lineOf = (offset: number): number => {
    const line = known.get(`${offset} ${url}`)
    if (line !== undefined) return line
    const before = scriptSource.slice(0, offset).split('\n')
    const place = findSourceMap(url)?.findEntry(before.length - 1, before.at(-1)?.length ?? 0) ?? {}
    known.set(`${offset} ${url}`, Number('originalLine' in place && place.originalLine) + 1)
    return lineOf(offset)
  }
  const lines = new Set<number>()
  // From outer ranges to inner ones.
  const ranges = functions.flatMap(({ ranges }) => ranges)
  ranges.sort((a, b) => b.endOffset - b.startOffset - a.endOffset + a.startOffset)
  for (const { startOffset, endOffset, count } of ranges) {
    const [first, last] = [lineOf(startOffset), lineOf(endOffset - 1)]
    for (let line = first; line <= last; line++) {
      if (count > 0) lines.add(line)
      else if (line > first && line < last) lines.delete(line)
    }
  }
  return [...lines]
}

session.connect()
if (load) {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  await measure('', async () => {
    for (const path of load) await import(base + path)
    return null
  })
}
for (const path of files) {
  const body = async (file: typeof root) => {
    process.stderr.write(`@ ${path}\n`)
    collectIn(file)
    await import(base + path)
  }
  await measure(path, async () => await root.test(path, { timeout: 3_600_000 }, body))
}
if (load) {
  await session.post('Debugger.enable')
  const measured: Measured = {}
  for (const { name, passed, seconds, scripts } of taken) {
    const lines: Record<string, number[]> = {}
    for (const script of scripts) lines[script.url.slice(base.length)] = await executedLines(script)
    measured[name] = { passed, seconds, lines }
  }
  writeFileSync(into, JSON.stringify(measured))
}
