import { parseArgs } from 'node:util'
import { FAULTS } from './plan.ts'
import { simulate } from './simulate.ts'
import { simulateMany } from './simulate-many.ts'

const USAGE = `npm run simulate -- --seed N             one schedule, with its trace
npm run simulate -- [--from N --count M] many schedules, and those that once failed; a line for each that fails
  --only a,b / --without a,b             the faults to choose from: ${FAULTS.join(', ')}`

const print = (text: string) => void process.stdout.write(`${text}\n`)

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '10000' },
    only: { type: 'string', default: FAULTS.join() },
    without: { type: 'string', default: '' },
    help: { type: 'boolean', default: false }
  }
})
const { seed, from, count, help } = values
const [among, without] = [values.only.split(','), values.without.split(',')]
const only = FAULTS.filter(fault => among.includes(fault) && !without.includes(fault))

if (help) {
  print(USAGE)
} else if (seed !== undefined) {
  const { failures } = await simulate(Number(seed), { only, write: print })
  for (const failure of failures) print(`FAILED: ${failure}`)
  process.exitCode = failures.length > 0 ? 1 : 0
} else {
  const totals = await simulateMany({ from: Number(from), count: Number(count), only }, print)
  print(JSON.stringify(totals))
  process.exitCode = totals.failed > 0 ? 1 : 0
}
