import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '../../test/simulation/random.ts'
import { copyOf, filesOf, git, indexOf, LIST, type Mutant, mutate, PRODUCT } from './copies.ts'
import { editsOf } from './operators.ts'

const COUNT = 200
const SEED = 43

/** How many mutants are compiled together. */
const TOGETHER = 16

/** The compiler's settings for the product alone. */
const PROJECT = 'tsconfig.product.json'
const COMPILE = ['-p', PROJECT, '--incremental', '--singleThreaded', '--pretty', 'false']

/** Returns the mutants that each line of a file can become, by the operator that makes them. */
function mutantsOf(file: string, source: string): { at: number; kind: string; mutant: Omit<Mutant, 'id'> }[] {
  const lines = source.split('\n')
  return editsOf(file, source).flatMap(({ kind, start, end, text }) => {
    const at = source.slice(0, start).split('\n').length - 1
    const from = source.lastIndexOf('\n', start - 1) + 1
    const whole = lines[at] ?? ''
    const line = whole.trim()
    const mutated = (whole.slice(0, start - from) + text + whole.slice(end - from)).trim()
    const alike = [...lines.keys()].filter(index => lines[index]?.trim() === line)
    const mutant = { file, line, occurrence: alike.indexOf(at) + 1, of: alike.length, mutated }
    return mutated === line ? [] : [{ at, kind, mutant }]
  })
}

/** Returns those of the mutants, each in a file of its own, that compile. */
function compiling(copy: string, mutants: Mutant[]): Mutant[] {
  if (mutants.length === 0) return []
  const places = mutants.map(mutant => {
    const path = join(copy, mutant.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, mutate(mutant, source) ?? '')
    return `${mutant.file}(${(indexOf(mutant, source) ?? 0) + 1},`
  })
  const { stdout } = spawnSync(join(copy, 'node_modules/.bin/tsc'), COMPILE, { cwd: copy, encoding: 'utf8' })
  git(copy, 'checkout', '--quiet', '.')
  const errors = stdout.match(/^[^\s(]+\.ts\(\d+,/gm) ?? []
  const left = mutants.filter(({ file }) => !errors.some(error => error.startsWith(`${file}(`)))
  if (errors.every(error => places.includes(error))) return left
  // An error outside of the mutated lines may come from any of them.
  if (left.length < mutants.length) return compiling(copy, left)
  if (left.length === 1) return []
  const half = left.length / 2
  return [left.slice(0, half), left.slice(half)].flatMap(part => compiling(copy, part))
}

/**
 * Draws one mutant from each of as many equal parts of the product's lines, and writes those that compile to the list.
 * In a part, each operator is as likely as the others.
 */
export function draw(commit: string): void {
  const copy = copyOf(commit, 'draw')
  const compilerOptions = { allowUnreachableCode: true }
  const include = ['*.ts', 'config', 'plugins', 'routes', 'schemas', 'services']
  writeFileSync(join(copy, PROJECT), JSON.stringify({ extends: './tsconfig.json', include, compilerOptions }))
  const random = createRandom(SEED, 'mutants')
  let passed = 0
  const all = filesOf(copy)
    .filter(path => PRODUCT.test(path))
    .flatMap(file => {
      const source = readFileSync(join(copy, file), 'utf8')
      const mutants = mutantsOf(file, source).map(entry => ({ ...entry, at: entry.at + passed }))
      passed += source.split('\n').length - 1
      return mutants
    })
  const parts = Array.from({ length: COUNT }, (_, id) => ({
    id,
    rest: all.filter(({ at }) => Math.floor((at * COUNT) / passed) === id)
  }))
  const drawn = new Map<number, Mutant>()
  for (;;) {
    const round = new Map<string, Mutant>()
    for (const part of parts.filter(({ id, rest }) => !drawn.has(id) && rest.length > 0)) {
      const kind = random.pick([...new Set(part.rest.map(({ kind }) => kind))])
      const picked = random.pick(part.rest.filter(entry => entry.kind === kind))
      if (round.has(picked.mutant.file) || round.size === TOGETHER) continue
      part.rest = part.rest.filter(entry => entry !== picked)
      round.set(picked.mutant.file, { id: part.id, ...picked.mutant })
    }
    if (round.size === 0) break
    for (const mutant of compiling(copy, [...round.values()])) drawn.set(mutant.id, mutant)
    process.stderr.write(`${drawn.size} mutants\n`)
  }
  const list = [...drawn.values()].sort((a, b) => a.id - b.id)
  writeFileSync(LIST, list.map(mutant => `${JSON.stringify(mutant)}\n`).join(''))
  rmSync(copy, { recursive: true })
}
