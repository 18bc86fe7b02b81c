import type { Devnet } from '../../packages/devnet/index.ts'
import { createRpcServer } from '../../packages/devnet/rpc/index.ts'
import { startNetwork } from '../helpers/app.ts'
import { eachStore, type StorePlace } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { operatorTool } from '../helpers/operator.ts'
import type { Test } from '../helpers/tap.ts'
import { PATIENCE_MS } from '../helpers/until.ts'
import { AWAY_WEBHOOK } from '../helpers/webhook-receiver.ts'

/** With two committed submissions, and one that the chain rejected by an event. */
async function settledStore(t: Test, place: StorePlace, open: StorePlace['open'] = place.open) {
  const devnet = await startNetwork(t)
  const { engine, submit, stop } = await startEngine(t, devnet, { open })
  const refusedTarget = { targetAddress: '0x00000000000000000000000000000000000000f6' }
  const taken = [await submit('a'), await submit('b'), await submit('refused', refusedTarget)]
  const ids = taken.map(({ submissionId }) => submissionId)
  const settled = await Promise.all(ids.map(id => engine.settled(id, PATIENCE_MS)))
  t.match(settled, [{ status: 'committed' }, { status: 'committed' }, { status: 'rejected' }])
  return { devnet, stop, ids, tool: operatorTool(t, devnet, place.env) }
}

/** Starts another node of the network, which keeps all blocks. @returns its URL */
async function archiveNode(t: Test, { chain }: Devnet): Promise<string> {
  const node = Object.create(chain, { base: { value: 1 } })
  const { url, close } = await createRpcServer(node, { host: '127.0.0.1', port: 0 })
  t.teardown(close)
  return url
}

await eachStore('reports every kind of difference and exits with code 1', async (t, place) => {
  const { stop, ids, tool } = await settledStore(t, place)
  await stop()
  const [a, _b, refused] = ids
  const set = (id = '', columns = '') =>
    place.execute(`UPDATE submission SET ${columns} WHERE submission_id = '${id}'`)
  const verify = (...words: string[]) => tool('verify', '--from', '1', ...words)
  const differs = (text: string) => ({ code: 1, out: new RegExp(`^${text}`) })

  await set(a, 'tx_id = 77')
  const wrongId = `${a} is committed, txId 77, 2 events; on the chain it is committed, txId \\d, 2 events`
  t.match(await verify(), differs(`${wrongId}.*\n.* 2 settled submissions match, 1 differences`))
  await set(a, `status = 'rejected', error = '{"code":1,"codespace":"x","message":"y"}'`)
  t.match(await verify(), differs(`${a} is rejected, but was executed by`))
  await set(a, "status = 'queued', sequence = NULL")
  t.match(await verify(), differs(`${a} is queued, but was executed by`))
  for (const table of ['identity', 'submission'])
    await place.execute(`DELETE FROM ${table} WHERE submission_id = '${a}'`)
  const missing = /2 settled submissions match, 0 differences\.\n1 executed requests .* are not in the store/
  t.match(await verify(), { code: 0, out: missing })
  const used = "transaction_hash = 'AA', gas_used = 1, gas_wanted = 1, events = '[]'"
  await set(refused, `status = 'committed', ${used}`)
  const notInIt = `${refused} is committed, but its transaction does not contain it exactly once`
  t.match(await verify('--repair'), differs(`${notInIt}\n.*1 settled submissions match`))
})

await eachStore('--repair corrects wrong results and queues webhooks for them', async (t, place) => {
  const open = (owner: string) => place.openWithOutbox(owner)
  const { devnet, stop, ids } = await settledStore(t, place, open)
  await stop()
  const tool = operatorTool(t, devnet, { ...place.env, ...AWAY_WEBHOOK })
  const address = devnet.addresses.development
  const [a = '', b = '', refused = ''] = ids
  const read = async () => {
    const store = await open(address)
    const found = await Promise.all(ids.map(id => store.find(id)))
    await store.close()
    return found.map(submission => submission && { ...submission, updatedAt: '' })
  }
  /** Delivers all due events. @returns them with their payload's data */
  const deliver = async () => {
    const { outbox, close } = await open(address)
    const events = await outbox.claim(10)
    await outbox.record(events.map(event => ({ ...event, outcome: 'delivered' })))
    const watched = await outbox.claimTransfers(10)
    await close()
    return {
      events: events.map(({ submissionId, type }) => `${type} ${submissionId}`).toSorted(),
      watched: watched.map(({ submissionId, txId }) => `${submissionId} ${txId}`)
    }
  }
  await deliver()
  const right = await read()
  // Results as a server stores and sends them if a part of the transaction log is missing.
  const changes = [
    `UPDATE submission SET tx_id = NULL WHERE submission_id = '${a}'`,
    `UPDATE submission SET events = '[]' WHERE submission_id = '${b}'`,
    `UPDATE submission SET status = 'committed', error = NULL, gas_used = 1, gas_wanted = 1, events = '[]'
     WHERE submission_id = '${refused}'`,
    `UPDATE event SET type = 'submission.committed', watch_due_at = NULL WHERE submission_id <> '${b}'`
  ]
  await place.execute(changes.join(';'))
  const wrong = await read()

  const dry = await tool('verify', '--from', '1')
  t.match(dry, { code: 1, out: /0 settled submissions match, 3 differences/ })
  t.match(dry.out, `${a} is committed, txId -, 2 events; on the chain it is committed, txId `)
  const isRejected = 'on the chain it is rejected (transaction 400'
  t.match(dry.out, `${refused} is committed, txId -, 0 events; ${isRejected}`)
  t.strictSame(await read(), wrong, 'verify does not change the store')

  t.match(await tool('verify', '--from', '1', '--repair'), { code: 0, out: /Corrected results: 3/ })
  t.strictSame(await read(), right)
  const [first] = right
  const events = [`submission.committed ${a}`, `submission.rejected ${refused}`].toSorted()
  const watched = [`${a} ${first?.status === 'committed' && first.txId}`]
  t.strictSame(await deliver(), { events, watched })
  t.match(await tool('verify', '--from', '1'), { code: 0, out: /3 settled submissions match, 0 differ/ })
})

await eachStore('rejects a height that the server has not read yet or that no node has', async (t, place) => {
  const { devnet, stop, tool } = await settledStore(t, place)
  await stop()
  const [, newest = ''] = /^Blocks 1 to (\d+):/.exec((await tool('verify', '--from', '1')).out) ?? []
  const after = String(Number(newest) + 1)
  const tooLate = `--from ${after} is after block ${newest}, the newest`
  t.match(await tool('verify', '--from', after), { code: 1, err: tooLate })
  const archive = await archiveNode(t, devnet)
  devnet.control.prune(2)
  const pruned = /^no node has block 1 any more; the lowest block left is 2/
  t.match(await tool('verify', '--from', '1'), { code: 1, err: pruned })
  const other = archive.replace('http', 'HTTP')
  t.match(await tool('verify', '--from', '1', '--node', other), { code: 0, out: /, 0 differences/ })
  await place.execute("UPDATE wallet_state SET chain_id = 'other-1'")
  const foreign = /but the store belongs to other-1: check/
  t.match(await tool('verify', '--from', newest), { code: 1, err: foreign })
})
