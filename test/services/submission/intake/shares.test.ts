import { createShares } from '../../../../services/submission/intake/shares.ts'
import type { Submission } from '../../../../services/submission/types.ts'
import { test } from '../../../helpers/tap.ts'

const settled = (submissionId: string): Submission => ({
  submissionId,
  status: 'rejected',
  error: { code: 1, codespace: 'sdk', message: 'no' },
  createdAt: '',
  updatedAt: ''
})

/** Shares over a store where these are settled. */
function sharesOf(isSettled: (submissionId: string) => boolean) {
  const lookedUp: string[][] = []
  const shares = createShares({
    async findSettled(submissionIds) {
      lookedUp.push([...submissionIds])
      return submissionIds.filter(isSettled).map(settled)
    }
  })
  return { shares, lookedUp }
}

test('settled submissions that nobody named are found, and nothing is looked up without a doubt', async t => {
  const { shares, lookedUp } = sharesOf(submissionId => submissionId.startsWith('old'))
  for (let number = 0; number < 5000; number += 1) shares.add(`old-${number}`, 'a')
  for (let number = 0; number < 5000; number += 1) shares.add(`new-${number}`, 'b')
  await shares.look()
  t.same(lookedUp, [])
  t.match(shares.closedReason('a'), { code: 'BACKLOG_SHARE' })
  shares.doubt()
  await shares.look()
  t.equal(shares.closedReason('a'), undefined)
  t.match(shares.closedReason('b'), { code: 'BACKLOG_SHARE' })
  await shares.look()
  await shares.look()
  t.same(
    lookedUp.map(({ length }) => length),
    [5000, 5000],
    'each was looked up once, 5,000 at a time'
  )
  t.equal(new Set(lookedUp.flat()).size, 10_000)
})

test('a look-up that fails is made again', async t => {
  let fails = true
  const shares = createShares({
    async findSettled(submissionIds) {
      if (fails) throw new Error('the store cannot be read')
      return submissionIds.map(settled)
    }
  })
  for (let number = 0; number < 5000; number += 1) shares.add(`s-${number}`, 'a')
  shares.doubt()
  await t.rejects(shares.look())
  fails = false
  await shares.look()
  t.equal(shares.closedReason('a'), undefined)
})
