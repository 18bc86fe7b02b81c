import { parseArgs } from 'node:util'
import { catchingSeed, NECESSARY_RULES } from './faults/broken-rules.ts'
import { FAULTS } from './plan.ts'
import { simulate } from './simulate.ts'
import { simulateMany } from './simulate-many.ts'

const USAGE = `npm run simulate -- --seed N             one schedule, with its trace
npm run simulate -- [--from N --count M] many schedules, and those that once failed; a line for each that fails
npm run simulate -- --broken             services that break a rule on purpose, and the seed that detects each
  --only a,b / --without a,b             the faults to choose from: ${FAULTS.join(', ')}`

const print = (text: string) => void process.stdout.write(`${text}\n`)

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '10000' },
    only: { type: 'string', default: FAULTS.join() },
    without: { type: 'string', default: '' },
    broken: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
const { seed, from, count, broken, help } = values
const [among, without] = [values.only.split(','), values.without.split(',')]
const only = FAULTS.filter(fault => among.includes(fault) && !without.includes(fault))

if (help) {
  print(USAGE)
} else if (broken) {
  for (const [mistake, rule] of Object.entries(NECESSARY_RULES)) {
    const { seed, failures } = await catchingSeed(rule)
    const [failure] = failures
    print(`a service that ${mistake}: ${failure ? `detected by seed ${seed}: ${failure}` : 'NOT DETECTED'}`)
    if (!failure) process.exitCode = 1
  }
} else if (seed !== undefined) {
  const { failures } = await simulate(Number(seed), { only, write: print })
  for (const failure of failures) print(`FAILED: ${failure}`)
  process.exitCode = failures.length > 0 ? 1 : 0
} else {
  const totals = await simulateMany({ from: Number(from), count: Number(count), only }, print)
  print(JSON.stringify(totals))
  process.exitCode = totals.failed > 0 ? 1 : 0
}
