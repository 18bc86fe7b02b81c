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

test('allows a client’s two surrounding networks two and four times the share of a single client', async t => {
  const { shares } = sharesOf(() => false)
  const fill = (client: string, around: string) => {
    const networks = [client, around, '48'] as const
    for (let more = 0; more < 5000; more += 1) shares.add(`${client}-${more}`, networks)
    return networks
  }
  t.match(shares.closedReason(fill('a', '56-a')), { code: 'BACKLOG_SHARE' })
  t.equal(shares.closedReason(['b', '56-a', '48']), undefined)
  fill('b', '56-a')
  t.match(shares.closedReason(['c', '56-a', '48']), { code: 'BACKLOG_SHARE' })
  t.equal(shares.closedReason(['c', '56-b', '48']), undefined)
  fill('c', '56-b')
  fill('d', '56-b')
  t.match(shares.closedReason(['e', '56-c', '48']), { code: 'BACKLOG_SHARE' })
  shares.remove(['a-0'])
  t.equal(shares.closedReason(['e', '56-c', '48']), undefined)
})
