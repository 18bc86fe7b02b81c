import type { Devnet } from '../../packages/devnet/index.ts'
import { durableStores, type StorePlace } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { operatorTool } from '../helpers/operator.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { assertAllExecutedOnce, storeWithOpenSlots } from './open-slots.ts'
import { procedureSql } from './procedures.ts'

const NEW_ID = 'service-devnet-2'

/** Lets a server read the old chain up to its last block. @returns the procedure's SQL for that height */
async function readToEnd(t: Test, place: StorePlace, devnet: Devnet, address: string) {
  const last = devnet.chain.height
  const reading = await startEngine(t, devnet, { open: place.open })
  await until(() => reading.engine.health().height === last, 'the last block is read')
  await reading.stop()
  return (height = last) =>
    procedureSql('New chain id', { ADDRESS: address, OLD: 'service-devnet-1', LAST: height })
}

const stores = Object.entries(await durableStores())

for (const [name, { newPlace }] of stores) {
  test(`${name}: executes nothing twice if the chain continues under another chain id`, async t => {
    const place = await newPlace(t)
    const { devnet, address, ids } = await storeWithOpenSlots(t, place)
    const sqlAt = await readToEnd(t, place, devnet, address)
    const tool = operatorTool(t, devnet, place.env)
    t.match(JSON.parse((await tool('show', ids.executed, '--json')).out), { status: 'committed', txId: 2 })
    for (const other of [1, -1]) await place.execute(sqlAt(devnet.chain.height + other))
    const { out } = await tool('show', ids.open, '--json')
    t.match(JSON.parse(out), { status: 'broadcast', slot: { state: 'open' } }, 'after SQL for a wrong height')
    const backup = await place.copy()

    devnet.control.upgrade(NEW_ID)
    await place.execute(sqlAt())
    t.equal(JSON.parse((await tool('show', ids.open, '--json')).out).status, 'queued')
    await assertAllExecutedOnce(t, devnet, { place, ids })

    // A backup from before the upgrade lacks the submissions executed on the new chain.
    await backup.execute(sqlAt())
    const restored = await assertAllExecutedOnce(t, devnet, { place: backup, ids })
    t.match(restored.get('open'), { status: 'committed', txId: Number })
  })
}
