import { durableStores } from '../helpers/durable-stores.ts'
import { assertAllExecutedOnce, storeWithOpenSlots } from '../helpers/open-slots.ts'
import { operatorTool } from '../helpers/operator.ts'
import { t as root, test } from '../helpers/tap.ts'

const NEW_ID = 'service-devnet-2'

const stores = Object.entries(await durableStores(root))

for (const [name, { newPlace }] of stores) {
  test(`${name}: a chain continues under another chain id, and the old chain can still be read`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    const last = String(devnet.chain.height)
    devnet.control.upgrade(NEW_ID)
    const tool = operatorTool(t, devnet, place.env)
    const node = devnet.urls.laggingRpc ?? ''
    const move = ['move-to-chain', 'new-chain', '--chain-id', NEW_ID, '--last-height', last, '--node', node]
    const { code, out, err } = await tool(...move)
    t.equal(err, '')
    t.equal(code, 0)
    t.match(out.split('\n'), [
      `The old chain is read to block ${last}.`,
      new RegExp(`^The store belongs to ${NEW_ID} from block \\d+ on, with sequence 2\\.$`),
      '1 open slots of service-devnet-1 are closed.'
    ])
    t.match(await tool(...move), { code: 1, err: `the store belongs to ${NEW_ID} already` }, 'it moves once')

    const settled = await assertAllExecutedOnce(t, devnet, { place, ids })
    t.match(settled.get('executed'), { status: 'committed', txId: 2, height: Number(last) })
    t.match(settled.get('open'), { status: 'committed' })
  })

  test(`${name}: without the old chain, slots that it consumed need a decision, and no others`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    const last = String(devnet.chain.height)
    devnet.control.upgrade(NEW_ID)
    const tool = operatorTool(t, devnet, place.env)
    const move = ['move-to-chain', 'new-chain', '--chain-id', NEW_ID, '--last-height', last]
    const undecided = await tool(...move)
    t.equal(undecided.code, 1)
    t.match(undecided.err, /^the chain has consumed these slots in blocks that cannot be read/)
    const [, hash = ''] =
      new RegExp(
        `slot 1:\n  transaction (\\w{64}): ${ids.executed} \\(executed: the chain's records have it as 2\\)\n`
      ).exec(undecided.err) ?? []
    t.notMatch(undecided.err, 'slot 2')
    t.equal(devnet.chain.block(Number(last))?.txs[0]?.hash, hash)

    const contradicted = `slot 1: the chain's records say that transaction ${hash} was executed. Nothing was moved.\n`
    t.strictSame(await tool(...move, '--not-executed', '1'), { code: 1, out: '', err: contradicted })
    t.match(await tool(...move, '--not-executed', '2'), { code: 1, err: 'slot 2 needs no decision' })
    t.match(await tool('show', ids.executed), { out: /"status": "broadcast"/ }, 'nothing was moved')
    t.match(await tool(...move, '--executed', `1:${hash}:${last}`), { code: 0, out: /2 open slots/ })

    t.match(JSON.parse((await tool('show', ids.executed)).out), {
      status: 'committed',
      transactionHash: hash,
      height: Number(last)
    })
    const settled = await assertAllExecutedOnce(t, devnet, { place, ids, undecided: ['executed'] })
    t.match(settled.get('executed'), { txId: 2 }, "the id is that of the chain's records")
  })

  test(`${name}: statements that contradict the chains move nothing`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    const { height } = devnet.chain
    const node = devnet.urls.laggingRpc ?? ''
    const tool = operatorTool(t, devnet, place.env)
    const move = (chainId: string, last: number, ...more: string[]) =>
      tool('move-to-chain', 'new-chain', '--chain-id', chainId, '--last-height', String(last), ...more)
    t.match(await move(NEW_ID, height), {
      code: 1,
      err: `the configured node follows service-devnet-1, not ${NEW_ID}`
    })
    t.match(await move('service-devnet-1', height), {
      code: 1,
      err: 'the store belongs to service-devnet-1 already'
    })
    devnet.control.upgrade(NEW_ID)
    t.match(await move(NEW_ID, 1), {
      code: 1,
      err: /^the server has read block \d+ of service-devnet-1: what it read/
    })
    t.match(await move(NEW_ID, height + 9, '--node', node), {
      code: 1,
      err: `the old chain's node is at block ${height}, before --last-height ${height + 9}`
    })
    t.match(await move(NEW_ID, height, '--node', devnet.urls.rpc), {
      code: 1,
      err: /^no node has block \d+ any more/
    })
    t.match(await tool('show', ids.open), { out: /"status": "broadcast"/ })
  })
}
