import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Benchmark, runIn } from './lab.ts'
import { reads } from './reads.ts'
import { replicas } from './replicas.ts'
import { toMarkdown } from './report.ts'
import { start } from './start.ts'
import { submit } from './submit.ts'

const suites: Record<string, Benchmark[]> = { reads, start, submit, replicas }

const USAGE = `Usage: npm run bench -- [options] [suite ...]

  Suites: ${Object.keys(suites).join(', ')}; without names all of them

  --smallest   as little as possible, to see that everything works; the figures mean nothing
  --help       print this text

Prints tables in Markdown. The exit code is 1 when a response was wrong or missing, or a benchmark failed, and 2 for wrong arguments.
`

async function run(names: string[], isSmallest: boolean): Promise<void> {
  const [load = 0] = loadavg()
  process.stdout.write(
    `Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), load average before ` +
      `${load.toFixed(1)}${isSmallest ? ', the smallest size: the figures mean nothing' : ''}\n`
  )
  for (const benchmark of names.flatMap(name => suites[name] ?? [])) {
    const result = await runIn(benchmark, isSmallest)
    process.stdout.write(`\n${toMarkdown(result)}`)
    if (result.wrong > 0) process.exitCode = 1
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { smallest: { type: 'boolean', default: false }, help: { type: 'boolean' } }
    })
    const unknown = positionals.find(name => suites[name] === undefined)
    if (unknown !== undefined) throw new Error(`unknown suite ${unknown}`)
    return { ...values, names: positionals.length > 0 ? positionals : Object.keys(suites) }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error} (--help lists the options)\n`)
    process.exit(2)
  }
}

const { help, smallest, names } = readArguments()
if (help) process.stdout.write(USAGE)
else await run(names, smallest)
