import { startScript } from '../../helpers/process.ts'
import { type Test, test } from '../../helpers/tap.ts'

/** Runs a suite of `npm run bench` at the smallest size. */
async function runSmallest(t: Test, suite: string) {
  const bench = startScript(t, 'packages/bench/run.ts', '--smallest', suite)
  const code = await bench.exited
  return { output: bench.stdout, errors: bench.stderr, code }
}

/** Returns the cells of all table rows. Skips header and separator lines, whose first cell is empty or dashes. */
const rowsOf = (output: string) =>
  [...output.matchAll(/^\| ([^\s|-].*) \|$/gm)].map(([, row = '']) => row.split('|').map(cell => cell.trim()))

const WRONG = 'wrong or missing responses'

const suites: Record<string, string[]> = {
  reads: ['Reads'],
  start: ['Start'],
  submit: ['Blocks', 'A signer of 50 ms', 'From block to response', 'Full batches'],
  replicas: ['Blocks of three replicas', 'Hand-over']
}

for (const [suite, titles] of Object.entries(suites)) {
  test(`runs the ${suite} benchmarks and gets only correct responses`, async t => {
    const { output, errors, code } = await runSmallest(t, suite)
    t.equal(code, 0, 'the benchmark exits with code 0', { errors })
    t.same(
      [...output.matchAll(/^### (.*)$/gm)].map(([, title]) => title),
      titles,
      'the tables'
    )
    const rows = rowsOf(output)
    t.same(
      rows.filter(([name]) => name === WRONG).map(([, value]) => value),
      titles.map(() => '0'),
      'every response is correct'
    )
    for (const [name, value = '', compared = ''] of rows) {
      t.match(value, /^-?[\d,.]+/, `${name} is a number`)
      t.notMatch(compared, /NaN|∞/, `${name}: the comparison contains no NaN or ∞`)
    }
    t.ok(rows.length > 2 * titles.length, 'the tables have more than their titles')
  })
}

test('rejects an unknown suite or option with exit code 2 and one line', async t => {
  for (const [wrong, line] of [
    ['read', /^unknown suite read \(--help lists the options\)$/],
    ['--small', /^Unknown option '--small'.* \(--help lists the options\)$/]
  ] as const) {
    const { output, errors, code } = await runSmallest(t, wrong)
    t.equal(code, 2)
    t.equal(output, '')
    // The preceding build might print npm warnings.
    t.match(errors.trimEnd().split('\n').at(-1), line)
    t.notMatch(errors, /^ +at /m, 'no stack')
  }
})
