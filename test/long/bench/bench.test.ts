import { spawnSync } from 'node:child_process'
import { root } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

const bench = (script: string) =>
  spawnSync('npm', ['run', '--silent', 'bench', '--', script, '--smallest'], { cwd: root, encoding: 'utf8' })

for (const [script, titles] of Object.entries({ reads: ['Reads', 'Start'], submissions: ['Submissions'] })) {
  test(`the ${script} benchmark gets only correct responses and prints its figures`, async t => {
    const { stdout, stderr, status } = bench(script)
    t.equal(status, 0, 'the benchmark exits with code 0', { stderr })
    const printed = Array.from(stdout.matchAll(/^### (.*)$/gm), ([, title]) => title)
    t.strictSame(printed, titles)
    t.equal(stdout.match(/^\| wrong or missing responses \| 0 \|/gm)?.length, titles.length)
    t.notMatch(stdout, /NaN|∞/)
  })
}
