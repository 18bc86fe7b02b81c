import { join } from 'node:path'
import Database from 'libsql'
import { startNetwork } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { leadingStore } from '../helpers/leading-store.ts'
import { operatorTool } from '../helpers/operator.ts'
import { type Accepted, assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { procedureSql } from '../helpers/procedures.ts'
import { test } from '../helpers/tap.ts'
import { transferRequest } from '../helpers/transfer-request.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

const { sqlite } = await durableStores()

/** Returns the text columns of a table in the embedded store. */
function textColumns(folder: string, table: string): string[] {
  const database = new Database(join(folder, 'submissions.db'))
  const columns = database.prepare(`SELECT * FROM ${table}`).columns()
  database.close()
  return columns.flatMap(({ name, type }) => (type === 'TEXT' ? name : []))
}

/** Returns SQL that appends an invalid UTF-8 byte. libsql aborts the process when it reads such a value as text. */
const damage = (table: string, column: string, where = 'true') =>
  `PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
   UPDATE ${table} SET ${column} = coalesce(${column}, '') || CAST(x'ff' AS TEXT) WHERE ${where}`

/** The columns needed to read the state of a submission, by status. */
const NEEDED: Record<string, readonly string[]> = {
  queued: ['status'],
  broadcast: [],
  committed: ['status', 'transaction_hash', 'events'],
  rejected: ['status', 'transaction_hash', 'error']
}

/** The columns needed to execute a queued submission. */
const NEEDED_TO_EXECUTE = ['submission_id', 'status', 'type_url']

test('a stored string that is not valid UTF-8 affects only its own submission', async t => {
  const devnet = await startNetwork(t, { control: true })
  const place = await sqlite.newPlace(t)
  const { SERVICE_DATA_DIR: folder = '' } = place.env
  const open = (owner: string) => place.openWithOutbox(owner)
  const first = await startEngine(t, devnet, { open })
  const { address } = first
  const columns = textColumns(folder, 'submission')
  t.ok(columns.includes('type_url'))
  const accepted: Accepted[] = []
  const rows: { status: string; column: string; feeId: string; submissionId: string }[] = []
  for (const column of columns) {
    const feeId = `committed-${column}`
    const { submissionId } = await first.submit(feeId)
    accepted.push({ feeId, submission: await first.engine.settled(submissionId, PATIENCE_MS) })
    rows.push({ status: 'committed', column, feeId, submissionId })
  }
  devnet.control.pause()
  // If its id or status is damaged, a submission can no longer be recognized as part of an open slot.
  for (const column of columns.filter(name => !['submission_id', 'status'].includes(name))) {
    const feeId = `broadcast-${column}`
    const { submissionId } = await first.submit(feeId)
    const inSlot = async () => (await first.store.find(submissionId))?.status === 'broadcast'
    await until(inSlot, 'it is in a slot')
    rows.push({ status: 'broadcast', column, feeId, submissionId })
  }
  await first.stop()

  const offline = await leadingStore(await place.open(address))
  for (const status of ['rejected', 'queued']) {
    for (const column of columns) {
      const feeId = `${status}-${column}`
      const submissionId = `id-${feeId}`
      await offline.take([{ ...transferRequest(feeId, { creator: address }), submissionId }])
      if (status === 'rejected')
        await offline.reject(submissionId, { code: 5, codespace: 'sdk', message: '' })
      rows.push({ status, column, feeId, submissionId })
    }
  }
  await offline.close()
  for (const { column, submissionId } of rows) {
    await place.execute(damage('submission', column, `submission_id = '${submissionId}'`))
  }
  for (const column of textColumns(folder, 'slot'))
    await place.execute(damage('slot', column, 'origin IS NOT NULL'))
  await place.execute(damage('identity', 'key', `key = 'fee:rejected-error'`))
  await place.execute(damage('fee_day', 'amount'))
  for (const [index, column] of textColumns(folder, 'event').entries()) {
    await place.execute(damage('event', column, `position = ${index + 1}`))
  }

  const { log, entries } = keepingLog()
  const damages: string[] = []
  const opened = await place.openWithOutbox(address, undefined, ({ message }) => damages.push(message))
  const { outbox } = opened
  const second = await startEngine(t, devnet, { open: async () => opened, log })
  devnet.control.resume()
  const settled = await Promise.all(
    ['new-0', 'new-1', 'new-2'].map(async feeId => {
      const { submissionId } = await second.submit(feeId)
      return { feeId, submission: await second.engine.settled(submissionId, PATIENCE_MS) }
    })
  )
  accepted.push(...settled)
  for (const { status, column, feeId, submissionId } of rows) {
    const title = `${status}, ${column}`
    const isExecuted = status === 'broadcast' || (status === 'queued' && !NEEDED_TO_EXECUTE.includes(column))
    if (isExecuted)
      accepted.push({ feeId, submission: await second.engine.settled(submissionId, PATIENCE_MS) })
    const found = second.engine.find(submissionId)
    if (NEEDED[status]?.includes(column))
      await t.rejects(found, { code: 'SUBMISSION_DAMAGED', statusCode: 500 }, title)
    else t.match(await found, column === 'submission_id' ? undefined : { submissionId }, title)
    if (status === 'rejected') continue
    // While the caller is unreadable, no one is authorized to read the result.
    const isReadable = !['submission_id', 'caller', ...(NEEDED[status] ?? [])].includes(column)
    const retry = second.submit(feeId)
    if (isReadable) t.match(await retry, { submissionId }, `a retry: ${title}`)
    else await t.rejects(retry, { code: 'SUBMISSION_DAMAGED' }, `a retry: ${title}`)
  }
  const logged = entries.filter(({ message }) => message === 'skipped a damaged queued submission')
  t.equal(
    logged.length,
    NEEDED_TO_EXECUTE.length - 1,
    'every damaged submission still recognizable as queued is logged'
  )

  const events = new Set((await outbox.claim(1000)).map(({ submissionId }) => submissionId))
  for (const { submission } of settled)
    t.ok(events.has(submission.submissionId), 'the outbox has an event for each submission')
  const places = damages.map(message => message.replace(/stored (\w+) .* column/, '$1')).sort()
  t.same(places, ['event payload', 'event submission_id', 'event type', 'submission type_url'])

  await second.stop()
  const tool = operatorTool(t, devnet, place.env)
  for (const { status, column, submissionId } of rows.filter(row => row.column === 'type_url')) {
    const { code, out } = await tool('show', submissionId)
    const { columns, problems, events } = JSON.parse(out)
    t.match(columns, { submission_id: submissionId, type_url: /^[0-9a-f]+ff$/ }, `${status}, ${column}`)
    t.match([code, problems], [1, [/^stored submission .* is damaged: column type_url$/]])
    t.type(events, Array)
  }
  const feeId = 'queued-type_url'
  await place.execute(procedureSql('Cancel', { ID: `id-${feeId}` }))
  const third = await startEngine(t, devnet, { open })
  const { submissionId } = await third.submit(feeId)
  accepted.push({ feeId, submission: await third.engine.settled(submissionId, PATIENCE_MS) })
  assertExactlyOnce(t, readChain(devnet, address), accepted)
})

test('a damaged account or open slot prevents the start, and the error names the column', async t => {
  const devnet = await startNetwork(t, { control: true })
  const place = await sqlite.newPlace(t)
  const { SERVICE_DATA_DIR: folder = '' } = place.env
  const first = await startEngine(t, devnet, { open: place.open })
  devnet.control.pause()
  const { submissionId } = await first.submit('open')
  const inSlot = async () => (await first.store.find(submissionId))?.status === 'broadcast'
  await until(inSlot, 'it is in a slot')
  await first.stop()
  for (const table of ['wallet_state', 'signed_tx']) {
    for (const column of textColumns(folder, table)) {
      const copy = await place.copy()
      await copy.execute(damage(table, column))
      const error = await startEngine(t, devnet, { open: copy.open }).catch(caught => caught)
      t.equal(error.name, 'StoreCorruptError', error.message)
      t.match(error.message, new RegExp(`^stored ${table} .* is damaged: column ${column}$`))
    }
  }
})
