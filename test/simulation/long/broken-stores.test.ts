import { test } from '../../helpers/tap.ts'
import { BROKEN_STORES } from '../faults/broken-stores.ts'
import { simulate } from '../simulate.ts'

for (const [fault, { alterStore, from }] of Object.entries(BROKEN_STORES)) {
  test(`a store that ${fault} is detected`, async t => {
    let failures: string[] = []
    for (let seed = from; seed < from + 1000 && failures.length === 0; seed++) {
      failures = (await simulate(seed, { alterStore })).failures
    }
    t.not(failures.length, 0)
  })
}
