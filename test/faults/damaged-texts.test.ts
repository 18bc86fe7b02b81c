import { join } from 'node:path'
import Database from 'libsql'
import { startNetwork } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { leadingStore } from '../helpers/leading-store.ts'
import { type Accepted, assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { test } from '../helpers/tap.ts'
import { transferRequest } from '../helpers/transfer-request.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

const { sqlite } = await durableStores()

function textColumns(folder: string): string[] {
  const database = new Database(join(folder, 'submissions.db'))
  const columns = database.prepare('SELECT * FROM submission').columns()
  database.close()
  return columns.flatMap(({ name, type }) => (type === 'TEXT' ? name : []))
}

/** Returns SQL that appends an invalid UTF-8 byte. libsql aborts the process when it reads such a value as text. */
const damage = (column: string, submissionId: string) =>
  `PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
   UPDATE submission SET ${column} = coalesce(${column}, '') || CAST(x'ff' AS TEXT)
   WHERE submission_id = '${submissionId}'`

/** The columns needed to read the state of a submission, by status. */
const NEEDED: Record<string, readonly string[]> = {
  queued: ['status'],
  broadcast: [],
  committed: ['status', 'transaction_hash', 'events']
}

/** The columns needed to execute a queued submission. */
const NEEDED_TO_EXECUTE = ['submission_id', 'status', 'type_url']

test('a stored string that is not valid UTF-8 affects only its own submission', async t => {
  const devnet = await startNetwork(t, { control: true })
  const place = await sqlite.newPlace(t)
  const { SERVICE_DATA_DIR: folder = '' } = place.env
  const first = await startEngine(t, devnet, { open: place.open })
  const { address } = first
  const columns = textColumns(folder)
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
  for (const column of columns) {
    const feeId = `queued-${column}`
    const submissionId = `id-${feeId}`
    await offline.take([{ ...transferRequest(feeId, { creator: address }), submissionId }])
    rows.push({ status: 'queued', column, feeId, submissionId })
  }
  await offline.close()
  for (const { column, submissionId } of rows) await place.execute(damage(column, submissionId))

  const { log, entries } = keepingLog()
  const second = await startEngine(t, devnet, { open: place.open, log })
  devnet.control.resume()
  const { submissionId } = await second.submit('new')
  accepted.push({ feeId: 'new', submission: await second.engine.settled(submissionId, PATIENCE_MS) })
  for (const { status, column, feeId, submissionId } of rows) {
    const title = `${status}, ${column}`
    const isExecuted = status === 'broadcast' || (status === 'queued' && !NEEDED_TO_EXECUTE.includes(column))
    if (isExecuted)
      accepted.push({ feeId, submission: await second.engine.settled(submissionId, PATIENCE_MS) })
    const found = second.engine.find(submissionId)
    if (NEEDED[status]?.includes(column))
      await t.rejects(found, { code: 'SUBMISSION_DAMAGED', statusCode: 500 }, title)
    else t.match(await found, column === 'submission_id' ? undefined : { submissionId }, title)
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
  assertExactlyOnce(t, readChain(devnet, address), accepted)
})
