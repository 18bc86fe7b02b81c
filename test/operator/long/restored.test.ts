import type { Devnet } from '../../../devnet/index.ts'
import { WEBHOOK } from '../../faults/events.ts'
import { durableStores, type StorePlace } from '../../helpers/durable-stores.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { assertAllExecutedOnce, storeWithOpenSlots } from '../../helpers/open-slots.ts'
import { operatorTool } from '../../helpers/operator.ts'
import { t as root, type Test, test } from '../../helpers/tap.ts'
import { ownRequest } from '../../helpers/transfer.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'

/** How many sequences the tool consumes. */
const FENCE = 64

const sequenceOf = async (devnet: Devnet) => {
  const path = `/cosmos/auth/v1beta1/accounts/${devnet.addresses.development}`
  const { account } = (await (await fetch(devnet.urls.rest + path)).json()) as {
    account: { sequence: string }
  }
  return Number(account.sequence)
}

/** A backup, and the transaction with `queued` that was signed after it and waits in the mempool. */
async function signedAfterBackup(t: Test, place: StorePlace) {
  const { devnet, ids } = await storeWithOpenSlots(t, place)
  const backup = await place.copy()
  const lost = await startEngine(t, devnet, { open: place.open })
  await until(() => devnet.chain.mempool.size === 2, 'slots 2 and 3 wait in the mempool')
  await lost.stop()
  const [, unknown = new Uint8Array()] = devnet.chain.mempool.list(2)
  return { devnet, backup, ids, unknown }
}

type Tool = ReturnType<typeof operatorTool>

async function idsIn(tool: Tool, ...argv: string[]): Promise<string[]> {
  const { out } = await tool(...argv, '--json')
  const lines = out.split('\n').filter(line => line !== '')
  return lines.map(line => JSON.parse(line).submissionId).sort()
}

const settledIn = (tool: Tool) => idsIn(tool, 'list', '--state', 'committed', '--state', 'rejected')

/** Every submission that the tool has settled has an event, and no other one has. */
async function assertNewEvents(t: Test, tool: Tool, settledBefore: string[]): Promise<void> {
  const settled = (await settledIn(tool)).filter(id => !settledBefore.includes(id))
  t.strictSame(await idsIn(tool, 'events'), settled)
}

const stores = Object.entries(await durableStores(root))

for (const [name, { newPlace }] of stores) {
  test(`${name}: what was executed after the backup is settled or recorded, and executed once`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    const backup = await place.copy()
    devnet.control.resume()
    const lost = await startEngine(t, devnet, { open: place.open })
    const later = await lost.submit('later')
    for (const id of [...Object.values(ids), later.submissionId]) {
      t.match(await lost.engine.settled(id, PATIENCE_MS), { status: 'committed' })
    }
    await lost.stop()

    const before = await sequenceOf(devnet)
    const tool = operatorTool(t, devnet, { ...backup.env, ...WEBHOOK })
    const settledBefore = await settledIn(tool)
    const { code, out, err } = await tool('move-to-chain', 'restored')
    t.equal(err, '')
    t.equal(code, 0)
    t.match(out.split('\n'), [
      /^Read \d+ blocks, up to \d+: 1 submissions settled, 1 unknown ones recorded\.$/,
      `Consuming the sequences ${before} to ${before + FENCE - 1} with transfers of the wallet to itself.`,
      /^Read \d+ blocks, up to \d+: 0 submissions settled, 0 unknown ones recorded\.$/,
      'The store is up to date. The server can be started.'
    ])
    t.equal(await sequenceOf(devnet), before + FENCE)
    await assertNewEvents(t, tool, settledBefore)
    t.match(await tool('verify', '--from', '1'), {
      code: 0,
      out: /5 committed submissions match, 0 differences/
    })

    const restored = await startEngine(t, devnet, { open: backup.open })
    const retried = await restored.submit('later')
    t.match(retried, { status: 'committed' }, 'a retry gets the result')
    await restored.stop()
    const all = { ...ids, later: retried.submissionId }
    await assertAllExecutedOnce(t, devnet, { place: backup, ids: all })
  })

  test(`${name}: a transaction that was signed after the backup can no longer be executed`, async t => {
    const place = await newPlace(t)
    const { devnet, backup, ids, unknown } = await signedAfterBackup(t, place)
    devnet.control.restart()
    devnet.control.resume()
    const tool = operatorTool(t, devnet, { ...backup.env, ...WEBHOOK })
    t.match(await tool('move-to-chain', 'restored'), { code: 0, out: /0 submissions settled, 0 unknown/ })
    t.match(devnet.chain.submitTx(unknown), { code: 32 }, 'another node still had it')
    await assertAllExecutedOnce(t, devnet, { place: backup, ids })
  })

  test(`${name}: a transaction that was signed after the backup is executed meanwhile`, async t => {
    const place = await newPlace(t)
    const { devnet, backup, ids } = await signedAfterBackup(t, place)
    devnet.control.resume()
    const tool = operatorTool(t, devnet, { ...backup.env, ...WEBHOOK })
    t.match(await tool('move-to-chain', 'restored'), { code: 0, out: /1 submissions settled/ })
    await assertAllExecutedOnce(t, devnet, { place: backup, ids })
  })

  test(`${name}: a slot that was signed again after the backup is settled by the unknown transaction`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    const backup = await place.copy()
    const resign = ['resign', '2', '--gas-price', '0.05', '--max-fee', '1000000']
    t.equal((await operatorTool(t, devnet, place.env)(...resign)).code, 0)
    devnet.control.resume()
    const lost = await startEngine(t, devnet, { open: place.open })
    const executed = await lost.engine.settled(ids.open, PATIENCE_MS)
    await lost.engine.settled(ids.queued, PATIENCE_MS)
    await lost.stop()

    const tool = operatorTool(t, devnet, { ...backup.env, ...WEBHOOK })
    const settledBefore = await settledIn(tool)
    const before = JSON.parse((await tool('show', ids.open)).out)
    t.match(executed, { status: 'committed', transactionHash: /^[0-9A-F]{64}$/ })
    t.notMatch(executed, { transactionHash: before.transactionHash })
    t.match(await tool('move-to-chain', 'restored'), { code: 0, out: /2 submissions settled, 0 unknown/ })
    await assertNewEvents(t, tool, settledBefore)
    await assertAllExecutedOnce(t, devnet, { place: backup, ids })
  })

  test(`${name}: a feeId that was executed with other content after the backup is not executed again`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    const backup = await place.copy()
    t.equal((await operatorTool(t, devnet, place.env)('cancel', ids.queued)).code, 0)
    devnet.control.resume()
    const lost = await startEngine(t, devnet, { open: place.open })
    const changed = await lost.submit('queued', { amount: '99' })
    t.match(await lost.engine.settled(changed.submissionId, PATIENCE_MS), { status: 'committed' })
    await lost.stop()

    const tool = operatorTool(t, devnet, { ...backup.env, ...WEBHOOK })
    t.match(await tool('move-to-chain', 'restored'), { code: 0, out: /0 submissions settled, 1 unknown/ })
    t.match(JSON.parse((await tool('show', ids.queued)).out), {
      status: 'rejected',
      error: { codespace: 'operator', message: 'the chain has executed another request with its feeId' }
    })
    const restored = await startEngine(t, devnet, { open: backup.open })
    const retried = await restored.submit('queued', { amount: '99' })
    await restored.stop()
    await assertAllExecutedOnce(t, devnet, {
      place: backup,
      ids: { done: ids.done, executed: ids.executed, open: ids.open, queued: retried.submissionId },
      fields: { queued: { ...ownRequest('queued').fields, amount: '99' } }
    })
  })

  test(`${name}: a wallet that cannot pay the transfers is reported`, async t => {
    const place = await newPlace(t)
    const { devnet } = await storeWithOpenSlots(t, place)
    devnet.control.setBalance(devnet.addresses.development, 10n)
    devnet.control.resume()
    const tool = operatorTool(t, devnet, place.env)
    t.match(await tool('move-to-chain', 'restored'), {
      code: 1,
      err: /^the chain refuses the transfers \(sdk 5\): .*insufficient funds/
    })
  })

  test(`${name}: a backup from before an upgrade is moved to the new chain and brought up to date`, async t => {
    const place = await newPlace(t)
    const { devnet, ids } = await storeWithOpenSlots(t, place)
    const backup = await place.copy()
    const last = String(devnet.chain.height)
    devnet.control.upgrade('service-devnet-2')
    const node = devnet.urls.laggingRpc ?? ''
    const move = [
      'move-to-chain',
      'new-chain',
      '--chain-id',
      'service-devnet-2',
      '--last-height',
      last,
      '--node',
      node
    ]
    t.equal((await operatorTool(t, devnet, place.env)(...move)).code, 0)
    devnet.control.resume()
    const lost = await startEngine(t, devnet, { open: place.open })
    const later = await lost.submit('later')
    for (const id of [...Object.values(ids), later.submissionId]) await lost.engine.settled(id, PATIENCE_MS)
    await lost.stop()

    const tool = operatorTool(t, devnet, { ...backup.env, ...WEBHOOK })
    const settledBefore = await settledIn(tool)
    const moved = await tool(...move)
    t.equal(moved.err, '')
    t.match(moved, {
      code: 0,
      out: /The new chain has executed 2 unsettled submissions and 1 unknown ones\./
    })
    t.match(await tool('move-to-chain', 'restored'), { code: 0, out: /0 submissions settled, 0 unknown/ })
    await assertNewEvents(t, tool, settledBefore)
    const restored = await startEngine(t, devnet, { open: backup.open })
    const retried = await restored.submit('later')
    await restored.stop()
    await assertAllExecutedOnce(t, devnet, { place: backup, ids: { ...ids, later: retried.submissionId } })
  })
}
