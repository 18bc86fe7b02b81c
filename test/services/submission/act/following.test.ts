import type { ChainBlock } from '../../../../services/chain-client/index.ts'
import { createFollower } from '../../../../services/submission/act/following.ts'
import { blockTransaction, chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

const using = (sequence: string) => [{ type: 'tx', attributes: [{ key: 'acc_seq', value: sequence }] }]

/** Creates a block on top of the previous one, with a transaction of another wallet. */
const block = (height: number, change: Partial<ChainBlock> = {}) =>
  chainBlock(height, { transactions: [blockTransaction({ events: using('another/1') })], ...change })

async function followerOf(blocks: ChainBlock[]) {
  const context = await engineContext()
  context.script.block = height => blocks.find(each => each.height === height)
  const calls: string[] = []
  const step = createFollower(context.engine, {
    onBlock: () => void calls.push('block'),
    onForeign() {},
    onCaughtUp: () => void calls.push('caught up')
  })
  return { ...context, step, calls }
}

test('reports that it has caught up once it reaches the lowest height that nodes have reported since startup', async t => {
  // On a fast chain the newest block is always ahead, and a node might overstate its height at first.
  for (const heights of [
    [101, 1000],
    [Number.MAX_SAFE_INTEGER, 101]
  ]) {
    const { step, calls, script } = await followerOf([101, 102].map(height => block(height)))
    for (const height of heights) {
      script.height = height
      await step()
    }
    t.strictSame(calls, ['block', 'caught up', 'block'])
    t.equal(await step(), 500, 'waits for the next block')
  }
})

test('reports a transaction that executes a request which another transaction has executed', async t => {
  const { step, engine, script, queue, open, entries } = await followerOf([])
  await queue('a', 'b')
  const { hash } = await open(['a', 'b'])
  engine.slots.leave('a')
  engine.store.applyBlock = async () => []
  const events = using(`${engine.wallet.address}/7`)
  script.block = height => block(height, { transactions: [blockTransaction({ hash, events })] })
  await step()
  t.match(entries[0], { level: 'error', fields: { height: 101, hash }, message: /executed from two stores/ })
})
