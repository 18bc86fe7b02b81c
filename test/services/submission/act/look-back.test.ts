import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { ChainBlock } from '../../../../services/chain-client/index.ts'
import { msgRequestResponse } from '../../../../services/messages/index.ts'
import { createLookBack } from '../../../../services/submission/act/look-back.ts'
import { blockTransaction, chainBlock, signedBytes } from '../../../helpers/chain-block.ts'
import { request } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'
import { wallet } from '../../../helpers/wallet.ts'
import { engineContext } from './engine-context.ts'

async function lookBackOver(lookBackBlocks: number, nextSequence = 7) {
  const { engine, script } = await engineContext()
  const asked: number[] = []
  const answers = { block: (height: number): ChainBlock => chainBlock(height) }
  script.block = height => {
    asked.push(height)
    return answers.block(height)
  }
  engine.settings.lookBackBlocks = lookBackBlocks
  return { engine, step: createLookBack(engine, { ...engine.walletState(), nextSequence }), asked, answers }
}

async function toEnd(step: () => Promise<boolean>): Promise<void> {
  while (!(await step()));
}

test('reads past blocks once, newest first, if the wallet has sent transactions', async t => {
  for (const [blocks, sequence, lowest] of [
    [40, 7, 61],
    [1000, 0, 101],
    [0, 7, 101]
  ] as const) {
    const { engine, step, asked } = await lookBackOver(blocks, sequence)
    t.match(
      engine.blockers.present,
      lowest > 100 ? [] : [{ kind: 'looking-back', reason: /blocks 61 to 100$/ }]
    )
    await toEnd(step)
    t.strictSame(
      asked,
      Array.from({ length: 101 - lowest }, (_, index) => 100 - index)
    )
  }
})

test('quarantines a node with a forked block or wrong results, and asks another one', async t => {
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

test('counts a request known only from events as executed if two nodes, or the only one, report it', async t => {
  for (const { events, nodes } of [
    { events: [], nodes: 2 },
    { events: [refusing], nodes: 2 },
    { events: [refusing], nodes: 1 }
  ]) {
    const { engine, script, entries } = await engineContext(nodes === 2 ? {} : undefined)
    Object.assign(engine, { identify: () => ({ identities: request('a').identities }) })
    engine.settings.lookBackBlocks = 1
    const step = createLookBack(engine, engine.walletState())
    const transaction = blockTransaction({ bytes: signedBytes(6, { messages: [message] }), data, events })
    script.block = height => chainBlock(height, { transactions: [transaction] })
    if (nodes === 2 && events.length > 0) {
      await t.rejects(toEnd(step), { name: 'NodesDisagreeError', message: /only node-1 responds/ })
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
