import { createShares } from '../../../../services/submission/act/shares.ts'
import { rejected } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'

test('looks up settled submissions only after a notification without ids, and again after a failed lookup', async t => {
  const lookedUp: string[][] = []
  let fails = true
  const shares = createShares({
    async findSettled(submissionIds) {
      if (fails) throw new Error('the store cannot be read')
      lookedUp.push([...submissionIds])
      return submissionIds.filter(submissionId => submissionId.startsWith('old')).map(rejected)
    }
  })
  for (let number = 0; number < 5000; number += 1) shares.add(`new-${number}`, 'b')
  for (let number = 0; number < 5000; number += 1) shares.add(`old-${number}`, 'a')
  await shares.look()
  t.match(shares.closedReason('a'), { code: 'BACKLOG_SHARE' })
  shares.recheck()
  await t.rejects(shares.look())
  fails = false
  for (let looks = 0; looks < 3; looks += 1) await shares.look()
  t.equal(shares.closedReason('a'), undefined)
  t.match(shares.closedReason('b'), { code: 'BACKLOG_SHARE' })
  const sizes = lookedUp.map(({ length }) => length)
  t.same(sizes, [5000, 5000], 'each submission is looked up once, in batches of 5,000')
  t.equal(new Set(lookedUp.flat()).size, 10_000)
  shares.recheck()
  for (let looks = 0; looks < 2; looks += 1) await shares.look()
  t.equal(lookedUp.flat().length, 15_000, 'settled submissions are not looked up again')
})
