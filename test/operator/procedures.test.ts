import type { Devnet } from '../../packages/devnet/index.ts'
import { startNetwork } from '../helpers/app.ts'
import { durableStores, type StorePlace } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { operatorTool } from '../helpers/operator.ts'
import { assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { procedureSql } from '../helpers/procedures.ts'
import { type Test, test } from '../helpers/tap.ts'
import { ROUTE } from '../helpers/transfer.ts'
import { transferRequest } from '../helpers/transfer-request.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import { assertAllExecutedOnce, storeWithOpenSlots } from './open-slots.ts'

const NEW_ID = 'service-devnet-2'

const cancel = (id: string) => procedureSql('Cancel', { ID: id })

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
  test(`${name}: a queued submission is cancelled and never executed, and its identity can be used again`, async t => {
    const place = await newPlace(t)
    const devnet = await startNetwork(t)
    const { development } = devnet.addresses
    const store = await place.open(development)
    const request = transferRequest('unwanted', { creator: development })
    const card = { originChain: 'FIAT', originAddress: '', creator: development }
    const paid = (feeId: string, change: object = {}) => {
      const options = JSON.stringify({ feeId, transactionIdSeed: 'seed' })
      return transferRequest(feeId, { ...card, options, ...change })
    }
    await store.take([
      { ...request, submissionId: 'id-unwanted' },
      { ...paid('paid'), submissionId: 'id-paid' }
    ])
    await store.close()
    await place.execute(cancel('id-unwanted'))
    await place.execute(cancel('id-paid'))

    const { engine, submit } = await startEngine(t, devnet, { open: place.open })
    t.match(await engine.find('id-unwanted'), {
      status: 'rejected',
      error: { code: 1, codespace: 'operator', message: 'cancelled by the operator before it was executed' }
    })
    const again = await submit('unwanted')
    t.not(again.submissionId, 'id-unwanted')
    const submission = await engine.settled(again.submissionId, PATIENCE_MS)
    assertExactlyOnce(t, readChain(devnet, development), [{ feeId: 'unwanted', submission }])

    const targetAddress = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'
    await t.rejects(engine.submit(paid('stranger', { targetAddress })), { code: 'PAYMENT_ALREADY_USED' })
    const sameTarget = { targetAddress: ROUTE.targetAddress.toLowerCase() }
    const { submissionId } = await engine.submit(paid('another quote', sameTarget))
    t.match(await engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
  })

  test(`${name}: does not cancel a submission that is in a slot`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    await place.execute(cancel(ids.open))
    const { out } = await operatorTool(t, devnet, place.env)('show', ids.open)
    t.equal(JSON.parse(out).status, 'broadcast')
  })

  test(`${name}: a chain continues under another chain id, and nothing is executed twice`, async t => {
    const place = await newPlace(t)
    const { devnet, address, ids } = await storeWithOpenSlots(t, place)
    const sqlAt = await readToEnd(t, place, devnet, address)
    const tool = operatorTool(t, devnet, place.env)
    t.match(JSON.parse((await tool('show', ids.executed)).out), { status: 'committed', txId: 2 })
    for (const other of [1, -1]) await place.execute(sqlAt(devnet.chain.height + other))
    const { out } = await tool('show', ids.open)
    t.match(
      JSON.parse(out),
      { status: 'broadcast', slot: { state: 'open' } },
      'SQL for a wrong height has no effect'
    )
    const backup = await place.copy()

    devnet.control.upgrade(NEW_ID)
    await place.execute(sqlAt())
    t.equal(JSON.parse((await tool('show', ids.open)).out).status, 'queued')
    await assertAllExecutedOnce(t, devnet, { place, ids })

    // A backup from before the upgrade lacks the submissions executed on the new chain.
    await backup.execute(sqlAt())
    const restored = await assertAllExecutedOnce(t, devnet, { place: backup, ids })
    t.match(restored.get('open'), { status: 'committed', txId: Number })
  })
}
