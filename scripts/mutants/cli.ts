import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../test/helpers/repository.ts'
import { createRandom } from '../../test/simulation/random.ts'
import { copyOf, fileOf, git, indexOf, LIST, type Mutant, mutate } from './copies.ts'
import { draw } from './draw.ts'
import { measureTests, runFiles, testsOf } from './tests.ts'

/** `unclear`: a test fails with the error and without it. */
const OUTCOMES = ['died', 'lives', 'unclear', 'gone'] as const
interface Verdict {
  outcome: (typeof OUTCOMES)[number]
  line?: number
  /** How many test files execute the line. */
  tests?: number
  by?: string
  isLate?: boolean
}
type Result = Verdict & { id: number; seconds: number }

// CONTRIBUTING.md describes the flags.
const { values: flags } = parseArgs({
  options: {
    commit: { type: 'string', default: 'HEAD' },
    only: { type: 'string', default: '0..' },
    shuffle: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
    results: { type: 'string' },
    draw: { type: 'boolean', default: false }
  }
})
const commit = git(root, 'rev-parse', flags.commit)
if (flags.draw) draw(commit)
const cached = join(root, 'node_modules/.cache/mutants', commit)
const copies = Array.from({ length: Number(flags.jobs) }, (_, job) => copyOf(commit, `${job}`))
const measured = await measureTests(copies[0] ?? '', `${cached}.json`, copies.length)

/** Applies a mutant to a copy, and runs the tests that execute its line until one fails. */
async function judge(mutant: Mutant, copy: string): Promise<Verdict> {
  const moved = fileOf(mutant, copy)
  if (moved === undefined) return { outcome: 'gone' }
  const path = join(copy, moved)
  const original = readFileSync(path, 'utf8')
  const mutated = mutate(mutant, original) ?? original
  const run = (files: string[], source: string) => {
    writeFileSync(path, source)
    return runFiles(copy, { files }, file => 40 + 5 * (measured[file]?.seconds ?? 0))
  }
  const line = (indexOf(mutant, original) ?? 0) + 1
  let rest = testsOf(copy, moved, line, measured)
  const verdict = { line, tests: rest.length }
  let unclear: string | undefined
  while (rest.length > 0) {
    const failed = await run(rest, mutated)
    if (failed === undefined) break
    const { file, isLate } = failed
    rest = rest.slice(rest.indexOf(file) + 1)
    // A test may also fail because the machine is busy.
    if (!isLate && (await run([file], mutated)) === undefined) continue
    const isBusy = isLate || (loadavg()[0] ?? 0) > availableParallelism()
    if (!isBusy || (await run([file], original)) === undefined)
      return { ...verdict, outcome: 'died', by: file, isLate }
    unclear = file
  }
  return unclear ? { ...verdict, outcome: 'unclear', by: unclear } : { ...verdict, outcome: 'lives' }
}

const parseLines = (path: string) =>
  (readFileSync(path, { encoding: 'utf8', flag: 'a+' }).match(/.+/g) ?? []).map(text => JSON.parse(text))
const file = flags.results ?? `${cached}.results.jsonl`
const results = new Map(parseLines(file).map((result: Result) => [result.id, result]))
const mutants: Mutant[] = parseLines(LIST)
const [first = 0, last = 0] = flags.only.split('..').map(Number)
const random = createRandom(1, 'order')
const queue = mutants
  .map(mutant => ({ mutant, order: flags.shuffle ? random.next() : mutant.id }))
  .filter(({ mutant: { id } }) => id >= first && id <= (last || Infinity) && !results.has(id))
  .sort((a, b) => a.order - b.order)

async function work(copy: string): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const start = performance.now()
    const { id } = next.mutant
    const verdict = await judge(next.mutant, copy)
    git(copy, 'checkout', '--quiet', '.')
    const result = { id, ...verdict, seconds: Math.round((performance.now() - start) / 1000) }
    results.set(id, result)
    appendFileSync(file, `${JSON.stringify(result)}\n`)
    process.stderr.write(`${JSON.stringify(result)}, ${queue.length} left\n`)
  }
}
await Promise.all(copies.map(work))
for (const copy of copies) rmSync(copy, { recursive: true })

const print = (text: string) => void process.stdout.write(`${text}\n`)
const areaOf = (file: string) => /^(services\/[^/]+|[^/]+)/.exec(file)?.[0] ?? ''
for (const area of new Set(['', ...mutants.map(({ file }) => areaOf(file))])) {
  const ids = mutants.filter(({ file }) => area === '' || areaOf(file) === area).map(({ id }) => id)
  const count = (outcome: string) => ids.filter(id => results.get(id)?.outcome === outcome).length
  print(`${(area || 'all').padEnd(30)} ${OUTCOMES.map(outcome => `${count(outcome)} ${outcome}`).join(', ')}`)
}
for (const { id, file, line, mutated } of mutants) {
  const { outcome, line: at, tests } = results.get(id) ?? {}
  if (outcome !== 'lives' && outcome !== 'unclear') continue
  print(`\n${id} ${outcome}, ${tests} test files: ${file}:${at}\n- ${line}\n+ ${mutated}`)
}
