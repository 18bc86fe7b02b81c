import { readdirSync, readFileSync } from 'node:fs'
import { test } from '../helpers/tap.ts'

const folder = new URL('../../.github/workflows/', import.meta.url)

for (const name of readdirSync(folder)) {
  const text = readFileSync(new URL(name, folder), 'utf8')

  test(`${name} pins each action to a commit`, async t => {
    const used = text.match(/uses: .*/g) ?? []
    t.ok(used.length > 0)
    t.same(
      used.filter(line => !/^uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
      []
    )
  })

  test(`${name} has only read permissions in jobs that run package code`, async t => {
    const [top = '', jobs = ''] = text.split('\njobs:\n')
    t.match(`${top}\n`, /^permissions:(?: \{\}|\n {2}contents: read)\n/m)
    for (const job of jobs.split(/^ {2}(?=\w+:$)/m))
      if (/\bnpm (?:ci|pack)\b|\.ci\/run$/m.test(job)) t.notMatch(job, /^ .*: write$/m)
  })
}
