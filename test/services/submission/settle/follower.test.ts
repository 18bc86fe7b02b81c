import type { ChainBlock } from '../../../../services/chain-client/index.ts'
import { createFollower } from '../../../../services/submission/settle/follower.ts'
import { blockTransaction, chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from '../engine-context.ts'

/** Creates a block on top of the previous one. Its foreign transaction consumes `sequence`, such as `ADDRESS/7`. */
function block(height: number, change: Partial<ChainBlock> & { sequence?: string } = {}): ChainBlock {
  const { sequence = 'another/1', ...rest } = change
  const events = [{ type: 'tx', attributes: [{ key: 'acc_seq', value: sequence }] }]
  return chainBlock(height, { transactions: [blockTransaction({ hash: `TX-${height}`, events })], ...rest })
}

async function followerOf(blocks: ChainBlock[]) {
  const context = await engineContext()
  context.script.block = height => blocks.find(each => each.height === height)
  const calls: string[] = []
  const step = createFollower(context.engine, {
    onBlock: () => void calls.push('block'),
    onForeign: () => void calls.push('foreign'),
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

test('only logs a foreign transaction that reports a sequence other than the next one', async t => {
  const { step, engine, script, queue, open, entries, calls } = await followerOf([])
  await queue('a')
  await open(['a'])
  script.block = height => block(height, { sequence: `${engine.wallet.address}/9` })
  await step()
  t.match(entries, [{ level: 'warn', fields: { hash: 'TX-101', sequence: '9', expected: 7 } }])
  t.strictSame([engine.walletState().nextSequence, engine.slots.size, calls], [8, 1, ['caught up', 'block']])
})

test('applies results that two nodes agree on, even if the next header contradicts them', async t => {
  const witnessed = { ...block(101), witness: { ...block(101), node: 'node-2' } }
  for (const [first, cursorHeight] of [
    [witnessed, 101],
    [block(101), 100]
  ] as const) {
    const { step, engine, script } = await followerOf([first, block(102, { lastResultsHash: 'OTHER' })])
    script.height = 102
    await step().catch(() => {})
    t.match(engine.walletState(), { cursorHeight })
  }
})

test('rejects a block from another chain or a fork', async t => {
  for (const other of [{ chainId: 'chain-2' }, { previousHash: 'FORK' }, { previousHash: undefined }]) {
    const { step, engine, calls } = await followerOf([block(101, other)])
    await t.rejects(step(), { name: 'ForeignChainError' })
    t.equal(engine.walletState().cursorHeight, 100)
    t.notOk(calls.includes('block'))
  }
})

test('retries a block that could not be stored', async t => {
  const { step, engine, calls } = await followerOf([block(101), block(102)])
  const { applyBlock } = engine.store
  engine.store.applyBlock = async () => {
    engine.store.applyBlock = applyBlock
    throw new Error('the disk is full')
  }
  await t.rejects(step(), { message: 'the disk is full' })
  t.equal(engine.walletState().cursorHeight, 100)
  t.equal(await step(), 0)
  t.equal(engine.walletState().cursorHeight, 101)
  t.equal(calls.filter(call => call === 'block').length, 1)
})

test('rereads a forked block from another node', async t => {
  const { step, engine, script } = await followerOf([block(101, { previousHash: 'FORK' })])
  const distrusted: string[] = []
  engine.chain.distrust = (node, reason) => {
    t.match(reason, /does not follow block 100/)
    distrusted.push(node)
    script.block = height => (height === 101 ? block(101) : undefined)
    return true
  }
  t.equal(await step(), 0)
  t.equal(engine.walletState().cursorHeight, 100)
  await step()
  t.equal(engine.walletState().cursorHeight, 101)
  t.strictSame(distrusted, ['node-1'])
})
