import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Benchmark, type Chain, chains, runIn } from './lab.ts'
import { source } from './processes/script.ts'
import { type BenchmarkResult, isMet } from './report/figures.ts'
import { describeMachine } from './report/machine.ts'
import { record } from './report/record.ts'
import type { Recorded } from './report/results.ts'
import { toTable } from './report/table.ts'
import { DEMANDING, suites } from './suites.ts'

const USAGE = `Usage: npm run bench -- [options] [suite or suite/benchmark ...]

  --chain CHAIN    devnet (default) or real: a Cosmos SDK node, which needs Go and is built first
  --cpu-prof DIR   write profiles of the measured processes to DIR
  --minutes N      how long soak runs, 10 without it
  --record         write the results of whole suites to bench/results.json and docs/performance.md
  --short          measure only for a moment, to see that a benchmark works; not for all of them
  --help           print this text

Without names and options all suites but soak run, and are recorded. Only soak ends with code 1 when it misses a target. A run
with another option than --record is not recorded.
`

/** A suite with the benchmarks of it that run. */
type Chosen = [suite: string, benchmarks: [name: string, benchmark: Benchmark][]]

/** The benchmarks with these names; all without names. @throws Error for an unknown name */
function chosen(names: string[]): Chosen[] {
  const all = Object.entries(suites).map(([suite, benchmarks]): Chosen => [suite, Object.entries(benchmarks)])
  const known = all.flatMap(([suite, benchmarks]) => [
    suite,
    ...benchmarks.map(([name]) => `${suite}/${name}`)
  ])
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined) throw new Error(`Unknown benchmark ${unknown}; known are ${known.join(', ')}`)
  const isChosen = (suite: string, name: string) =>
    names.length === 0 ? suite !== DEMANDING : names.includes(suite) || names.includes(`${suite}/${name}`)
  return all
    .map(([suite, benchmarks]): Chosen => [suite, benchmarks.filter(([name]) => isChosen(suite, name))])
    .filter(([, benchmarks]) => benchmarks.length > 0)
}

interface Options {
  chain: Chain
  nodeArgs: string[]
  isShort: boolean
  minutes: number | undefined
}

async function run([suite, benchmarks]: Chosen, options: Options): Promise<Recorded> {
  const [date, machine] = [new Date().toISOString(), describeMachine()]
  process.stdout.write(`${suite}: ${Object.values(machine).join(', ')}\n\n`)
  const results: BenchmarkResult[] = []
  for (const [name, benchmark] of benchmarks) {
    const result = await runIn(benchmark, options)
    process.stdout.write(`${toTable({ ...result, name: `${suite}/${name}` })}\n`)
    results.push(result)
  }
  return { date, machine, benchmarks: results }
}

const missedOf = (suite: string, { benchmarks }: Recorded) =>
  benchmarks.flatMap(({ name, figures }) =>
    figures.filter(figure => isMet(figure) === false).map(figure => `${suite}/${name}: ${figure.name}`)
  )

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      chain: { type: 'string', default: 'devnet' },
      'cpu-prof': { type: 'string' },
      minutes: { type: 'string' },
      record: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      help: { type: 'boolean' }
    }
  })
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const chain = chains.find(name => name === values.chain)
  if (chain === undefined) throw new Error(`Unknown chain ${values.chain}; known are ${chains.join(', ')}`)
  const profile = values['cpu-prof']
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
  if (minutes !== undefined && !(minutes > 0)) throw new Error('--minutes needs a number above zero')
  if (values.record && positionals.some(name => name.includes('/')))
    throw new Error('--record needs whole suites')
  const isPlain = chain === 'devnet' && !values.short && profile === undefined && minutes === undefined
  const isRecorded = isPlain && (values.record || positionals.length === 0)
  if (chain === 'real') execFileSync(process.execPath, source('test/real-chain/build'), { stdio: 'inherit' })
  const nodeArgs = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]

  const missed: string[] = []
  for (const suite of chosen(positionals)) {
    const [name] = suite
    const recorded = await run(suite, { chain, nodeArgs, isShort: values.short, minutes })
    const missedHere = missedOf(name, recorded)
    if (name === DEMANDING && !values.short && missedHere.length > 0) process.exitCode = 1
    missed.push(...missedHere)
    // One after the other, so that what is measured stays when a later suite fails.
    if (isRecorded) await record(name, recorded)
  }
  process.stdout.write(missed.length === 0 ? 'All targets are met.\n' : `Missed:\n  ${missed.join('\n  ')}\n`)
}

await main()
