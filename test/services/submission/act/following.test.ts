import { createFollower } from '../../../../services/submission/act/following.ts'
import { blockTransaction, chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

test('reports a transaction that executes a request for the second time', async t => {
  const { engine, script, queue, open, entries } = await engineContext()
  const step = createFollower(engine, { onBlock() {}, onForeign() {}, onCaughtUp() {} })
  await queue('a', 'b')
  const { hash } = await open(['a', 'b'])
  engine.slots.leave('a')
  engine.store.applyBlock = async () => []
  const attributes = [{ key: 'acc_seq', value: `${engine.wallet.address}/7` }]
  const transactions = [blockTransaction({ hash, events: [{ type: 'tx', attributes }] })]
  script.block = height => chainBlock(height, { transactions })
  await step()
  t.match(entries[0], { level: 'error', fields: { height: 101, hash }, message: /executed from two stores/ })
})
