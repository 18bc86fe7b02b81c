import { decideSame, findWrongNode } from '../../../../services/submission/act/blocks.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

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

test('distrusts each node whose block contradicts the next one, or another that two nodes agree on', async t => {
  const [right, falseResults, fork, otherEvents] = [
    {},
    { resultsHash: 'FALSE' },
    { hash: 'FORK' },
    { time: 1 }
  ]
  // The blocks that two nodes reported at first, those that they report now, and the next ones.
  for (const [[one, other], now, next, result, wrong] of [
    [[falseResults, right], [falseResults, right], [right, right], true, ['node-1']],
    [[right, fork], [right, fork], [right, right], true, ['node-2']],
    [[falseResults, fork], [right, right], [right, right], true, ['node-1', 'node-2']],
    [[fork], [fork, right], [right, right], true, ['node-1']],
    [[otherEvents, right], [right, right], [right, right], true, ['node-1']],
    [[right], [right, right], [], true, []],
    [[otherEvents, right], [otherEvents, right], [], false, []],
    [[otherEvents, right], [otherEvents, right], [undefined, right], /^node-1 and node-2 report/, []],
    [[falseResults], [falseResults, right], [right, right], /^no trusted node/, []]
  ] as const) {
    const at = (index: 0 | 1) => (height: number) => {
      const change = height === 3 ? now[index] : next[index]
      return change && chainBlock(height, change)
    }
    const { engine, script } = await engineContext({ other: { block: at(1) } })
    script.block = at(0)
    const distrusted: string[] = []
    engine.chain.distrust = node => wrong.length > 0 && distrusted.push(node) > 0
    const witness = other && { ...chainBlock(3, other), node: 'node-2' }
    const found = findWrongNode(
      engine.chain,
      { ...chainBlock(3, one), node: 'node-1', witness },
      (a, b) => a.hash === b.hash && a.time === b.time
    )
    if (typeof result === 'boolean') t.equal(await found, result)
    else await t.rejects(found, { name: 'NodesDisagreeError', message: result })
    t.strictSame(distrusted, wrong)
  }
})
