import type { ChainBlock } from '../../../../services/chain-client/index.ts'
import { createFollower } from '../../../../services/submission/settle/follower.ts'
import { blockTransaction, chainBlock } from '../../../helpers/chain-block.ts'
import { fee } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from '../engine-context.ts'

const using = (sequence: string) => [{ type: 'tx', attributes: [{ key: 'acc_seq', value: sequence }] }]

/** Creates a block on top of the previous one. Its foreign transaction consumes `sequence`, such as `ADDRESS/7`. */
function block(height: number, change: Partial<ChainBlock> & { sequence?: string } = {}): ChainBlock {
  const { sequence = 'another/1', ...rest } = change
  return chainBlock(height, {
    transactions: [blockTransaction({ hash: `TX-${height}`, events: using(sequence) })],
    ...rest
  })
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

test('only logs a foreign transaction that reports a sequence other than the next one, and adopts its requests', async t => {
  const { step, engine, script, queue, open, entries, calls } = await followerOf([])
  await queue('a')
  const { bytes } = await open(['a'])
  const sequence = `${engine.wallet.address}/9`
  script.block = height => block(height, { sequence })
  await step()
  t.match(entries, [{ level: 'warn', fields: { hash: 'TX-101', sequence: '9', expected: 7 } }])
  t.strictSame([engine.walletState().nextSequence, engine.slots.size, calls], [8, 1, ['caught up', 'block']])
  engine.identify = () => [fee('other')]
  const foreign = blockTransaction({ hash: 'F', bytes, events: using(sequence) })
  script.block = height => block(height, { transactions: [foreign] })
  await step()
  t.equal(calls.at(-2), 'foreign')
  t.match(entries.at(-1), { message: /^adopted/, fields: { height: 102, hash: 'F', requests: 1 } })
})

test('applies results that two nodes agree on, even if the next header contradicts them', async t => {
  const witnessedBy = (change: Partial<ChainBlock>) => ({
    ...block(102),
    witness: { ...block(102, change), node: 'node-2' }
  })
  // A block of a fork is no witness.
  for (const [second, cursorHeight, distrusted] of [
    [witnessedBy({}), 103, []],
    [block(102), 101, ['node-1']],
    [witnessedBy({ previousHash: 'FORK' }), 101, ['node-2', 'node-1']]
  ] as const) {
    const blocks = [block(101), second, block(103, { lastResultsHash: 'OTHER' })]
    const { step, engine, script, entries } = await followerOf(blocks)
    const seen = new Set<string>()
    engine.chain.distrust = node => {
      seen.add(node)
      return false
    }
    script.height = 103
    for (let steps = 0; steps < 3; steps++) await step().catch(() => {})
    t.match(engine.walletState(), { cursorHeight })
    t.strictSame([...seen], distrusted)
    const contradicted = entries.filter(({ level }) => level === 'error')
    t.match(contradicted, cursorHeight === 103 ? [{ fields: { height: 102 } }] : [])
  }
})

test('requeues and suspects the messages of a transaction that failed in its block, and logs why', async t => {
  const { step, engine, script, queue, open, entries, store } = await followerOf([])
  await queue('a', 'b', 'c')
  const { hash } = await open(['a', 'b'])
  await open(['c'])
  const events = using(`${engine.wallet.address}/7`)
  const failed = { hash, code: 11, codespace: 'sdk', log: 'out of gas', events }
  script.block = height => block(height, { transactions: [blockTransaction(failed)] })
  await step()
  t.match(entries, [
    { message: 'slot resolved', fields: { height: 101, sequence: 7, hash, origin: 'own' } },
    {
      message: 'a transaction failed in its block',
      fields: { submissionIds: ['a', 'b'], reason: /out of gas/ }
    }
  ])
  t.equal(engine.blame.together('b'), 1)
  t.equal(engine.walletState().nextSequence, 9)
  t.match(await store.find('b'), { status: 'queued' })
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

test('rejects a block from another chain or a fork', async t => {
  for (const other of [{ chainId: 'chain-2' }, { previousHash: 'FORK' }, { previousHash: undefined }]) {
    const { step, engine, calls } = await followerOf([block(101, other)])
    await t.rejects(step(), { name: 'ForeignChainError' })
    t.equal(engine.walletState().cursorHeight, 100)
    t.notOk(calls.includes('block'))
  }
})

test('applies a block even if the next one cannot be read yet', async t => {
  const { step, engine, script } = await followerOf([])
  script.height = 102
  script.block = height => {
    if (height === 102) throw new Error('no results yet')
    return block(height)
  }
  t.equal(await step(), 0)
  t.equal(engine.walletState().cursorHeight, 101)
})

test('reads both blocks again if the next header contradicts the results', async t => {
  const { step, engine, script } = await followerOf([block(101), block(102, { lastResultsHash: 'OTHER' })])
  script.height = 102
  await step().catch(() => {})
  script.block = height => block(height)
  await step()
  t.equal(engine.walletState().cursorHeight, 101)
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
