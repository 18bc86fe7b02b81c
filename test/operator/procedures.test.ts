import { OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { startNetwork } from '../helpers/app.ts'
import { eachStore } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { operatorTool } from '../helpers/operator.ts'
import { assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { read } from '../helpers/repository.ts'
import { ownRequest } from '../helpers/transfer.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import { assertAllExecutedOnce, storeWithOpenSlots } from './open-slots.ts'

const text = read('docs/procedures.md')

/**
 * Returns the SQL of a procedure in docs/procedures.md.
 * @param values replace its placeholders in capitals
 */
function procedureSql(title: string, values: Record<string, string | number>): string {
  const [, procedure = ''] = text.split(`\n## ${title}\n`)
  const [, sql] = /```sql\n([\s\S]*?)```/.exec(procedure) ?? []
  if (sql === undefined) throw new Error(`${title} has no SQL`)
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), String(value)),
    sql
  )
}

await eachStore('executes nothing twice if the chain continues under another chain id', async (t, place) => {
  const { devnet, address, ids } = await storeWithOpenSlots(t, place)
  // A server reads the old chain up to its last block.
  const last = devnet.chain.height
  const reading = await startEngine(t, devnet, { open: place.open })
  await until(() => reading.engine.health().height === last, 'the last block is read')
  await reading.stop()
  const sqlAt = (height = last) =>
    procedureSql('New chain id', { ADDRESS: address, OLD: 'service-devnet-1', LAST: height })
  const tool = operatorTool(t, devnet, place.env)
  t.match(JSON.parse((await tool('show', ids.executed, '--json')).out), { status: 'committed', txId: 2 })
  for (const other of [1, -1]) await place.execute(sqlAt(devnet.chain.height + other))
  const { out } = await tool('show', ids.open, '--json')
  t.match(JSON.parse(out), { status: 'broadcast', slot: { state: 'open' } }, 'after SQL for a wrong height')
  const backup = await place.copy()

  devnet.control.upgrade('service-devnet-2')
  await place.execute(sqlAt())
  t.equal(JSON.parse((await tool('show', ids.open, '--json')).out).status, 'queued')
  await assertAllExecutedOnce(t, devnet, { place, ids })

  // A backup from before the upgrade lacks the submissions executed on the new chain.
  await backup.execute(sqlAt())
  const restored = await assertAllExecutedOnce(t, devnet, { place: backup, ids })
  t.match(restored.get('open'), { status: 'committed', txId: Number })
})

await eachStore('a new wallet takes over once all is settled, and returns old results', async (t, place) => {
  const devnet = await startNetwork(t)
  const { development, other } = devnet.addresses
  const handOver = () => place.execute(procedureSql('Wallet hand-over', { ADDRESS: development, NEW: other }))
  const first = await startEngine(t, devnet, { open: place.open })
  await first.engine.settled((await first.submit('early')).submissionId, PATIENCE_MS)
  devnet.chain.pause()
  const late = await first.submit('late')
  await until(() => devnet.chain.mempool.size > 0, 'the late submission is sent')
  await first.stop()
  const options = { open: place.open, mnemonic: OTHER_WALLET }
  const message = `the store belongs to the wallet ${development}, not to ${other}`
  if (place.kind === 'sqlite') await t.rejects(startEngine(t, devnet, options), { message })

  await handOver()
  devnet.chain.resume()
  const closed = await startEngine(t, devnet, { open: place.open, settings: { isIntakeClosed: true } })
  t.match(await closed.engine.settled(late.submissionId, PATIENCE_MS), { status: 'committed' })
  await t.rejects(closed.submit('refused'), { code: 'INTAKE_CLOSED' })
  const old = await Promise.all(['early', 'late'].map(feeId => closed.submit(feeId)))
  t.match(old, [{ status: 'committed' }, { status: 'committed' }])
  await until(() => closed.engine.health().unsettled === 0, 'every submission is settled')
  await closed.stop()

  devnet.control.allow(other)
  for (const _twice of [1, 2]) await handOver()
  const second = await startEngine(t, devnet, options)
  t.equal(second.address, other)
  t.same(await Promise.all(['early', 'late'].map(feeId => second.submit(feeId))), old)
  const refused = await second.submit('refused')
  const submission = await second.engine.settled(refused.submissionId, PATIENCE_MS)
  await second.stop()

  // Repeating the procedure by mistake does not affect the new wallet.
  await handOver()
  const third = await startEngine(t, devnet, options)
  t.same(await third.submit('refused'), submission)
  const ofOld = ['early', 'late'].map((feeId, index) => ({
    feeId,
    fields: { ...ownRequest(feeId).fields, creator: development },
    submission: old[index] ?? submission
  }))
  assertExactlyOnce(t, readChain(devnet, other), [...ofOld, { feeId: 'refused', submission }])
})
