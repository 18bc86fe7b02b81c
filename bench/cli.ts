import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Benchmark, chains, runIn } from './lab.ts'
import { source } from './processes/script.ts'
import { isMet } from './report/figures.ts'
import { describeMachine } from './report/machine.ts'
import { withResults } from './report/page.ts'
import { toTable } from './report/table.ts'
import { suites } from './suites.ts'

const USAGE = `Usage: npm run bench -- [options] [suite or suite/benchmark ...]

  --chain CHAIN    devnet (default) or real: a Cosmos SDK node, which needs Go and is built first
  --cpu-prof DIR   write profiles of the measured processes to DIR
  --record         write the results of the suite replicas to docs/performance.md
  --short          measure only for a moment, to see that a benchmark works; not for all of them
  --help           print this text

Without a name, all suites run. Only a run of all suites writes bench/results.json.
`

const RESULTS = 'bench/results.json'
const PAGE = 'docs/performance.md'
const PAGE_SUITE = 'replicas/'

const all = new Map(
  Object.entries(suites).flatMap(([suite, benchmarks]) =>
    Object.entries(benchmarks).map(([name, benchmark]): [string, Benchmark] => [
      `${suite}/${name}`,
      benchmark
    ])
  )
)

/** The benchmarks with these names; all without names. @throws Error for an unknown name */
function chosen(names: string[]): [string, Benchmark][] {
  if (names.length === 0) return [...all]
  return names.flatMap(name => {
    const found = [...all].filter(([full]) => full === name || full.startsWith(`${name}/`))
    if (found.length === 0)
      throw new Error(`Unknown benchmark ${name}; known are ${[...all.keys()].join(', ')}`)
    return found
  })
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      chain: { type: 'string', default: 'devnet' },
      'cpu-prof': { type: 'string' },
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
  if (chain === 'real') execFileSync(process.execPath, source('test/real-chain/build'), { stdio: 'inherit' })
  const profile = values['cpu-prof']
  const nodeArgs = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const machine = describeMachine()
  process.stdout.write(`${Object.values(machine).join(', ')}\n\n`)

  const benchmarks = []
  for (const [name, benchmark] of chosen(positionals)) {
    const result = await runIn(benchmark, { chain, nodeArgs, isShort: values.short })
    process.stdout.write(`${toTable(result)}\n`)
    benchmarks.push({
      ...result,
      name,
      figures: result.figures.map(figure => ({ ...figure, met: isMet(figure) }))
    })
  }
  const missed = benchmarks.flatMap(({ figures }) => figures).filter(({ met }) => met === false)
  process.stdout.write(
    missed.length === 0 ? 'All targets are met.\n' : `Missed: ${missed.map(({ name }) => name).join('; ')}\n`
  )
  if (values.record) {
    const recorded = benchmarks.filter(({ name }) => name.startsWith(PAGE_SUITE))
    await writeFile(PAGE, withResults(await readFile(PAGE, 'utf8'), recorded, machine))
  }
  if (benchmarks.length < all.size || chain === 'real' || values.short) return
  const about = 'One real run of `npm run bench` on the machine below; other machines give other figures.'
  const results = { about, date: new Date().toISOString(), machine, benchmarks }
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
}

await main()
