import { startFaultProxy } from '../../faults/fault-proxy.ts'
import { durableStores } from '../../helpers/durable-stores.ts'
import { assertAllExecutedOnce, storeWithOpenSlots } from '../../helpers/open-slots.ts'
import { operatorTool } from '../../helpers/operator.ts'
import { t as root, test } from '../../helpers/tap.ts'

const stores = Object.entries(await durableStores(root))

for (const [name, { newPlace }] of stores) {
  test(`${name}: a node that has the deleted blocks leads the store over them`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    devnet.control.produceBlocks(5)
    devnet.control.setLag(0)
    devnet.control.prune(devnet.chain.height - 1)
    const tool = operatorTool(t, devnet, place.env)
    const node = devnet.urls.laggingRpc ?? ''
    t.match(await tool('move-to-chain', 'pruned', '--node', node), {
      code: 0,
      out: `Read 6 blocks, up to ${devnet.chain.height}.\n`
    })
    const settled = await assertAllExecutedOnce(t, devnet, { place, ids })
    t.match(settled.get('executed'), { txId: 2 })
  })

  test(`${name}: without such a node, slots that the deleted blocks consumed need a decision`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    const executedAt = devnet.chain.height
    const hash = devnet.chain.block(executedAt)?.txs[0]?.hash
    devnet.control.produceBlocks(5)
    devnet.control.prune(devnet.chain.height - 1)
    // Its REST API cannot be asked for records.
    const tool = operatorTool(t, devnet, {
      ...place.env,
      SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'http://127.0.0.1:9'
    })
    const undecided = await tool('move-to-chain', 'pruned')
    t.match(undecided, {
      code: 1,
      out: /^The chain's records cannot be read: /,
      err: new RegExp(`slot 1:\n  transaction ${hash}: ${ids.executed}\n`)
    })
    t.notMatch(undecided.err, 'slot 2')
    const wrongHash = 'AB'.repeat(32)
    t.match(await tool('move-to-chain', 'pruned', '--executed', `1:${wrongHash}:5`), {
      code: 1,
      err: `slot 1 has no transaction ${wrongHash}`
    })
    const { code, out } = await tool('move-to-chain', 'pruned', '--executed', `1:${hash}:${executedAt}`)
    t.equal(code, 0)
    t.match(
      out,
      /1 slots are closed, 1 stay open\.\n$/,
      'what is signed for the open slot can still be executed'
    )
    // The operator's word has no transaction id.
    await assertAllExecutedOnce(t, devnet, { place, ids, unreported: { executed: 2 } })
  })

  test(`${name}: without such a node, a slot whose transaction failed is not executed`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place, { failure: 'out of gas' })
    devnet.control.produceBlocks(5)
    devnet.control.prune(devnet.chain.height - 1)
    const tool = operatorTool(t, devnet, place.env)
    t.match(await tool('move-to-chain', 'pruned'), { code: 1, err: /slot 1:/ })
    t.match(await tool('move-to-chain', 'pruned', '--not-executed', '1'), { code: 0 })
    await assertAllExecutedOnce(t, devnet, { place, ids })
  })

  test(`${name}: slots that were consumed in blocks which the node still has need no decision`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place, { emptyBlocksBefore: 3 })
    devnet.control.prune(devnet.chain.height)
    const tool = operatorTool(t, devnet, place.env)
    const { code, out } = await tool('move-to-chain', 'pruned')
    t.equal(code, 0)
    t.match(out, /^Blocks \d+ to \d+ are skipped\./)
    const settled = await assertAllExecutedOnce(t, devnet, { place, ids })
    t.match(settled.get('executed'), { txId: 2 })
  })

  test(`${name}: blocks whose results were not stored are skipped, and the blocks between them are read`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place, { emptyBlocksBefore: 3 })
    const executedAt = devnet.chain.height
    devnet.control.produceBlocks(8)
    const proxy = await startFaultProxy(t, devnet.urls.rpc)
    const tool = operatorTool(t, devnet, {
      ...place.env,
      SERVICE_BACKEND_NODE_PROVIDER: proxy.url
    })
    proxy.fail('block_results', { kind: 'discarded-results', from: 1, to: executedAt })
    const undecided = await tool('move-to-chain', 'pruned')
    t.match(undecided, { code: 1, err: /slot 1:/ }, 'a block that was not read decides nothing')
    proxy.fail('block_results', { kind: 'discarded-results', from: executedAt - 2, to: executedAt - 1 })
    const { code, out } = await tool('move-to-chain', 'pruned')
    t.equal(code, 0)
    t.match(out, new RegExp(`^Blocks \\d+ to ${executedAt - 1} are skipped\\.`))
    t.match(out, /1 slots are closed, 1 stay open\.\n$/)
    const settled = await assertAllExecutedOnce(t, devnet, { place, ids })
    t.match(settled.get('executed'), { txId: 2 })
  })

  test(`${name}: sequences that the store has never signed are explained before anything is skipped`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    const executedAt = devnet.chain.height
    const hash = devnet.chain.block(executedAt)?.txs[0]?.hash
    for (let sent = 0; sent < 3; sent++) await devnet.control.send({ from: 'development' })
    devnet.control.produceBlocks(5)
    devnet.control.prune(devnet.chain.height - 1)
    const tool = operatorTool(t, devnet, place.env)
    // Slot 2 was consumed by another program.
    const move = ['move-to-chain', 'pruned', '--executed', `1:${hash}:${executedAt}`, '--not-executed', '2']
    const refused = await tool(...move)
    t.equal(refused.code, 1)
    t.match(
      refused.err,
      /^the chain has consumed sequences up to 4, and the store has signed none from 3 on\./
    )
    t.match(await tool('show', ids.executed), { out: /"status": "broadcast"/ }, 'nothing was moved')
    t.match(await tool(...move, '--foreign-program'), { code: 0, out: /2 slots are closed, 0 stay open/ })
    await assertAllExecutedOnce(t, devnet, { place, ids, unreported: { executed: 2 } })
  })
}
