import { createShares } from '../../../../services/submission/intake/shares.ts'
import { rejected } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'

/** Creates shares over a store in which `isSettled` decides which submissions are settled. */
function sharesOf(isSettled: (submissionId: string) => boolean) {
  const lookedUp: string[][] = []
  const shares = createShares({
    async findSettled(submissionIds) {
      lookedUp.push([...submissionIds])
      return submissionIds.filter(isSettled).map(rejected)
    }
  })
  return { shares, lookedUp }
}

test('looks up settled submissions only if a notification contained no ids', async t => {
  const { shares, lookedUp } = sharesOf(submissionId => submissionId.startsWith('old'))
  for (let number = 0; number < 5000; number += 1) shares.add(`new-${number}`, ['b'])
  for (let number = 0; number < 5000; number += 1) shares.add(`old-${number}`, ['a'])
  await shares.look()
  t.same(lookedUp, [])
  t.match(shares.closedReason(['a']), { code: 'BACKLOG_SHARE' })
  shares.doubt()
  for (let looks = 0; looks < 3; looks += 1) await shares.look()
  t.equal(shares.closedReason(['a']), undefined)
  t.match(shares.closedReason(['b']), { code: 'BACKLOG_SHARE' })
  const sizes = lookedUp.map(({ length }) => length)
  t.same(sizes, [5000, 5000], 'each submission is looked up once, in batches of 5,000')
  t.equal(new Set(lookedUp.flat()).size, 10_000)
})

test('retries a failed lookup', async t => {
  let fails = true
  const shares = createShares({
    async findSettled(submissionIds) {
      if (fails) throw new Error('the store cannot be read')
      return submissionIds.map(rejected)
    }
  })
  for (let number = 0; number < 5000; number += 1) shares.add(`s-${number}`, ['a'])
  shares.doubt()
  await t.rejects(shares.look())
  fails = false
  await shares.look()
  t.equal(shares.closedReason(['a']), undefined)
})
