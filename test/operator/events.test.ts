import { join } from 'node:path'
import Database from 'libsql'
import { startNetwork } from '../helpers/app.ts'
import { eachStore, leadingStore, type StorePlace } from '../helpers/durable-stores.ts'
import { transferRequest } from '../helpers/engine-at.ts'
import { operatorTool, parsed } from '../helpers/operator.ts'
import type { Test } from '../helpers/tap.ts'
import { AWAY_WEBHOOK } from '../helpers/webhook-receiver.ts'

/** A store that no server uses, and the operator tool with a webhook configured. */
async function site(t: Test, place: StorePlace) {
  const devnet = await startNetwork(t)
  const owner = devnet.addresses.development
  const tool = operatorTool(t, devnet, { ...place.env, ...AWAY_WEBHOOK })

  /** Accepts and immediately rejects submissions, which creates their events. */
  async function settle(...feeIds: string[]): Promise<void> {
    await queue(...feeIds)
    const store = await leadingStore(await place.openWithOutbox(owner))
    for (const feeId of feeIds) await store.reject(`id-${feeId}`, { code: 1, codespace: 'x', message: 'y' })
    await store.close()
  }

  async function queue(...feeIds: string[]): Promise<void> {
    const store = await place.openWithOutbox(owner)
    const requests = feeIds.map(feeId => transferRequest(feeId, { creator: owner }))
    await store.take(requests.map((each, index) => ({ ...each, submissionId: `id-${feeIds[index]}` })))
    await store.close()
  }

  return { tool, queue, settle, open: () => place.openWithOutbox(owner) }
}

await eachStore('lists abandoned events with their problem and redelivers them', async (t, place) => {
  const { tool, settle, open } = await site(t, place)
  await settle('one', 'other')
  const { outbox, close } = await open()
  const [one, other] = await outbox.claim(2)
  if (one === undefined || other === undefined) throw new Error('no event or transfer is due')
  await outbox.record([{ ...one, outcome: 'abandoned', problem: 'HTTP 500' }])
  await outbox.record([{ ...other, outcome: 'delivered', response: 'status 204' }])

  const abandoned = { eventId: 'msg_id-one_rejected', state: 'abandoned', attempts: 1, problem: 'HTTP 500' }
  t.match(JSON.parse((await tool('show', 'id-one', '--json')).out).events, [abandoned])
  const attempt = /webhook +eventId msg_id-other_\w+, attempt 1, outcome delivered, response status 204\n/
  t.match(await tool('show', 'msg_id-other_rejected'), { code: 0, out: attempt })
  const noMatch = { code: 1, err: 'no event matches\n' }
  t.match(await tool('redeliver', '--submission', 'id-nobody'), noMatch)
  t.match(await tool('redeliver', '--abandoned'), { code: 0, out: '1 event is due now.\n' })
  t.match((await tool('show', 'id-one')).out, /\n\S+Z +webhook due +eventId msg_id-one_rejected\n/)
  t.match(await tool('redeliver', '--abandoned'), noMatch)
  t.match(await tool('redeliver', '--submission', 'id-other'), { code: 0 })
  const asked = [one, other].map(event => ({ ...event, redeliveries: 1 }))
  t.strictSame(await outbox.claim(9), asked, 'redelivers events with the same ids and bodies')
  await close()

  if (place.kind === 'sqlite') {
    const reader = new Database(join(place.env['SERVICE_DATA_DIR'] ?? '', 'submissions.db'))
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM event').all([])
    const incomplete = /another program .* submissions\.db is not complete without submissions\.db-wal/
    t.match(await tool('redeliver', '--submission', 'id-other'), { code: 0, err: incomplete })
    reader.close()
  }

  await place.execute("UPDATE event SET attempts = -1 WHERE submission_id = 'id-one'")
  const damaged = await tool('show', 'id-one', '--json')
  t.equal(damaged.code, 1)
  t.match(JSON.parse(damaged.out), { events: [], problems: [/^stored event .*id-one.* column attempts$/] })
})

await eachStore('reports a damaged submission, and still lists and exports others', async (t, place) => {
  const { tool, queue } = await site(t, place)
  await queue('one', 'other')
  await place.execute("UPDATE submission SET type_url = '', created_at = 0 WHERE submission_id = 'id-one'")
  const older = 'updated_at = updated_at - 2 * 86400000'
  await place.execute(`UPDATE submission SET ${older} WHERE submission_id = 'id-other'`)
  const problem = 'stored submission id-one is damaged: column type_url'
  const { code, out } = await tool('list')
  t.equal(code, 1)
  t.match(out, /\nid-other .*queued/)
  t.ok(out.endsWith(`\n${problem}\n`))
  t.match(await tool('list', '--older-than', '1d'), { code: 0, out: /\nid-other / }, 'omits id-one')
  const shown = await tool('show', 'id-one', '--json')
  t.equal(shown.code, 1)
  const columns = { submission_id: 'id-one', status: 'queued', type_url: '', message: /^[0-9a-f]+$/ }
  t.match(JSON.parse(shown.out), { columns, problems: [problem] })
  for (const argv of [['list', '--json'], ['export']]) {
    const { code, out } = await tool(...argv)
    t.equal(code, 1, argv.join(' '))
    t.match(parsed(out), [{ submissionId: 'id-other' }, { problem }], argv.join(' '))
  }
})
