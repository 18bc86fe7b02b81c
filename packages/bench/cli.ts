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

  Suites: ${Object.keys(suites).join(', ')} (default: all)

  --smallest   a smoke test with the smallest load; ignore the figures
  --help       print this help

Prints Markdown tables. Exits with code 1 if a response is wrong or missing or a benchmark fails, and with 2 for invalid arguments.
`

async function run(names: string[], isSmallest: boolean): Promise<void> {
  const [load = 0] = loadavg()
  process.stdout.write(
    `Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), load average before ` +
      `${load.toFixed(1)}${isSmallest ? ', smoke test: ignore the figures' : ''}\n`
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
