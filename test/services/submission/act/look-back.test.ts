import type { ChainBlock } from '../../../../services/chain-client/index.ts'
import { createLookBack } from '../../../../services/submission/act/start.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

async function lookBackOver(lookBackBlocks: number, nextSequence = 7) {
  const { engine, script, entries } = await engineContext()
  const asked: number[] = []
  const answers = { block: (height: number): ChainBlock => chainBlock(height) }
  script.block = height => {
    asked.push(height)
    return answers.block(height)
  }
  engine.settings.lookBackBlocks = lookBackBlocks
  const step = createLookBack(engine, { ...engine.walletState(), nextSequence })
  return { engine, step, asked, answers, entries }
}

async function toEnd(step: () => Promise<boolean>): Promise<void> {
  while (!(await step()));
}

const downFrom100 = (lowest: number) => Array.from({ length: 101 - lowest }, (_, index) => 100 - index)

test('reads the configured number of blocks once, newest first', async t => {
  const { engine, step, asked } = await lookBackOver(40)
  t.match(engine.blockers.present, [{ kind: 'looking-back', reason: /blocks 61 to 100$/ }])
  await toEnd(step)
  t.strictSame(asked, downFrom100(61))
})

test('reads nothing if the wallet has never sent a transaction or 0 blocks are configured', async t => {
  for (const [blocks, sequence] of [
    [1000, 0],
    [0, 7]
  ]) {
    const { engine, step, asked } = await lookBackOver(blocks ?? 0, sequence)
    t.equal(await step(), true)
    t.strictSame([asked, engine.blockers.present], [[], []])
  }
})

test('distrusts a node with a forked block or wrong results, and requests the same block from another', async t => {
  for (const [wrong, message] of [
    [{ hash: 'FORK' }, /block 90 is not the predecessor/],
    [{ resultsHash: 'FALSE' }, /results of block 90/]
  ] as const) {
    const { engine, step, answers, asked } = await lookBackOver(1000)
    const distrusted: string[] = []
    engine.chain.distrust = node => distrusted.push(node) > 0
    answers.block = height => chainBlock(height, height === 90 ? wrong : {})
    await t.rejects(step(), { name: 'ForeignChainError', message })
    t.strictSame(distrusted, ['node-1'])
    asked.length = 0
    answers.block = height => chainBlock(height)
    await toEnd(step)
    t.equal(asked[0], 90)
  }
})
