import { createLookBack } from '../../../../services/submission/act/look-back.ts'
import { test } from '../../../helpers/tap.ts'
import { wallet } from '../../../helpers/wallet.ts'
import { blockTransaction, chainBlock, responsesOf, signedBytes } from '../../chain-block.ts'
import { request } from '../store-data.ts'
import { engineContext } from './engine-context.ts'

async function toEnd(step: () => Promise<boolean>): Promise<void> {
  while (!(await step()));
}

test('quarantines a node with a forked block or wrong results, and asks another one', async t => {
  for (const [wrong, name, message] of [
    [{ hash: 'FORK' }, 'ForeignChainError', /block 90 is not the predecessor/],
    [{ resultsHash: 'FALSE' }, 'NodesDisagreeError', /block 90: the nodes have different results/]
  ] as const) {
    const { engine, script } = await engineContext()
    const step = createLookBack(engine, engine.walletState())
    const asked: number[] = []
    let isWrong = true
    script.block = height => {
      asked.push(height)
      return chainBlock(height, isWrong && height === 90 ? wrong : {})
    }
    const quarantined: string[] = []
    engine.chain.quarantine = node => quarantined.push(node) > 0
    await t.rejects(step(), { name, message })
    t.strictSame(quarantined, ['node-1'])
    isWrong = false
    asked.length = 0
    await toEnd(step)
    t.equal(asked[0], 90)
  }
})

const message = { typeUrl: request('a').typeUrl, value: Buffer.from(wallet.address) }
const refusing = { type: 'error', attributes: [{ key: 'msg_index', value: '0' }] }
const data = responsesOf({ txId: 11n })

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
    t.match(entries[0], { level: 'info', message: 'blocker raised' }, 'it is normal')
    t.match(entries.at(-1), { message: 'look-back finished', fields: { adopted: 1 } })
  }
})
