import { decideSame } from '../../../../services/submission/opinions/blocks.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'

test('two responses decide the same only if slots, submissions, statuses and transaction ids agree', t => {
  const agreed = { submissionId: 'a', status: 'committed', txId: 7, error: 'one node says more' }
  const decided = (change: object, isAdopted: boolean) => {
    const outcome = { ...agreed, ...change }
    return isAdopted
      ? { resolutions: [], adoptions: [{ transactionHash: 'X', execution: outcome }] }
      : { resolutions: [{ sequence: 7, transactionHash: 'X', origin: 'own', outcomes: [outcome] }] }
  }
  const one = { ...chainBlock(3), node: 'one' }
  const other = { ...one, node: 'other' }
  for (const isAdopted of [false, true]) {
    const isSame = (change: object) =>
      decideSame(one, other, ({ node }) => decided(node === 'one' ? {} : change, isAdopted))
    t.ok(isSame({ error: 'another text' }))
    t.notOk(isSame({ submissionId: 'b' }))
    t.notOk(isSame({ txId: 8 }))
    t.notOk(isSame({ status: 'rejected' }))
  }
  const slot = { sequence: 7, transactionHash: 'X', origin: 'own', outcomes: [] }
  for (const change of [{ sequence: 8 }, { transactionHash: 'Y' }, { origin: 'foreign' }]) {
    const isSame = decideSame(one, other, ({ node }) => ({
      resolutions: [node === 'one' ? slot : { ...slot, ...change }]
    }))
    t.notOk(isSame, Object.keys(change).join())
  }
  for (const change of [{ hash: 'OTHER' }, { resultsHash: 'OTHER' }])
    t.notOk(decideSame(one, { ...other, ...change }, () => ({})))
  t.end()
})
