import { lastResult } from '../../../services/caches/last-result.ts'
import { test } from '../../helpers/tap.ts'

test('computes again for other arguments only', async t => {
  let computed = 0
  const pair = lastResult((...values: object[]) => {
    computed += 1
    return { values }
  })
  const [a, b] = [{}, {}]
  const first = pair(a, b)
  t.equal(pair(a, b), first)
  t.equal(computed, 1)
  t.same(pair(a, a), { values: [a, a] })
  t.same(pair(a, b), first)
  t.equal(computed, 3)
})
