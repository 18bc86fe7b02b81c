import { test } from '../../helpers/tap.ts'
import { catchingSeed, NECESSARY_RULES } from '../faults/broken-rules.ts'

for (const [mistake, rule] of Object.entries(NECESSARY_RULES)) {
  test(`detects a service that ${mistake}`, async t => {
    const { seed, failures } = await catchingSeed(rule)
    t.not(failures.length, 0)
    t.comment(`seed ${seed}: ${failures[0]}`)
  })
}
