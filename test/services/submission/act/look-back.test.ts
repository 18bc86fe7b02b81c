import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { ChainBlock } from '../../../../services/chain-client/index.ts'
import { msgRequestResponse } from '../../../../services/messages/index.ts'
import { createLookBack } from '../../../../services/submission/act/start.ts'
import { blockTransaction, chainBlock, signedBytes } from '../../../helpers/chain-block.ts'
import { request } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'
import { wallet } from '../../../helpers/wallet.ts'
import { engineContext } from './engine-context.ts'

async function lookBackOver(
  lookBackBlocks: number,
  { nextSequence = 7, ...context }: Parameters<typeof engineContext>[0] & { nextSequence?: number } = {}
) {
  const { engine, script, entries } = await engineContext(context)
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
    const { engine, step, asked } = await lookBackOver(blocks ?? 0, { nextSequence: sequence ?? 0 })
    t.equal(await step(), true)
    t.strictSame([asked, engine.blockers.present], [[], []])
  }
})

test('quarantines a node with a forked block or wrong results, and requests the same block from another', async t => {
  for (const [wrong, name, message] of [
    [{ hash: 'FORK' }, 'ForeignChainError', /block 90 is not the predecessor/],
    [{ resultsHash: 'FALSE' }, 'NodesDisagreeError', /block 90: the nodes have different results/]
  ] as const) {
    const { engine, step, answers, asked } = await lookBackOver(1000)
    const quarantined: string[] = []
    engine.chain.quarantine = node => quarantined.push(node) > 0
    answers.block = height => chainBlock(height, height === 90 ? wrong : {})
    await t.rejects(step(), { name, message })
    t.strictSame(quarantined, ['node-1'])
    asked.length = 0
    answers.block = height => chainBlock(height)
    await toEnd(step)
    t.equal(asked[0], 90)
  }
})

const message = { typeUrl: request('a').typeUrl, value: Buffer.from(wallet.address) }
const refusing = { type: 'error', attributes: [{ key: 'msg_index', value: '0' }] }
const data = TxMsgData.encode(
  TxMsgData.fromPartial({
    msgResponses: [{ value: msgRequestResponse.encode({ code: '200', msg: '', txId: 11n }).finish() }]
  })
).finish()

test('adopts a request whose events contradict its response only if two nodes report that, or the only one', async t => {
  for (const { isDoubtful, nodes, adopts } of [
    { isDoubtful: false, nodes: 2, adopts: true },
    { isDoubtful: true, nodes: 2, adopts: false },
    { isDoubtful: true, nodes: 1, adopts: true }
  ]) {
    const { engine, answers, entries } = await lookBackOver(1, nodes === 2 ? { other: {} } : {})
    Object.assign(engine, { identify: () => ({ identities: request('a').identities }) })
    const step = createLookBack(engine, engine.walletState())
    const bytes = signedBytes(6, { messages: [message] })
    const transaction = blockTransaction({ bytes, data, events: isDoubtful ? [refusing] : [] })
    answers.block = height => chainBlock(height, { transactions: [transaction] })
    if (!adopts) {
      await t.rejects(toEnd(step), { name: 'NodesDisagreeError', message: /only node-1 responds/ })
      t.equal(await engine.store.queued(9).then(({ length }) => length), 0)
      const { block } = engine.chain
      engine.chain.block = async height => {
        const found = await block(height)
        return found && { ...found, second: { ...found, node: 'node-2' } }
      }
    }
    await toEnd(step)
    t.match(entries.at(-1), { message: 'look-back finished', fields: { adopted: 1 } })
  }
})
