import { join } from 'node:path'
import Database from 'libsql'
import { startNetwork } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { type Accepted, assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { test } from '../helpers/tap.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

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

/** The columns needed to read the state of a committed submission. */
const NEEDED = ['transaction_hash', 'events']

test('a stored string that is not valid UTF-8 affects only its own settled submission', async t => {
  const devnet = await startNetwork(t, { control: true })
  const place = await sqlite.newPlace(t)
  const { SERVICE_DATA_DIR: folder = '' } = place.env
  const first = await startEngine(t, devnet, { open: place.open })
  const { address } = first
  // Without its id or status, a submission cannot be recognized as a settled one.
  const columns = textColumns(folder).filter(name => !['submission_id', 'status'].includes(name))
  t.ok(columns.includes('type_url'))
  const accepted: Accepted[] = []
  const ids = new Map<string, string>()
  for (const feeId of columns) {
    const { submissionId } = await first.submit(feeId)
    accepted.push({ feeId, submission: await first.engine.settled(submissionId, PATIENCE_MS) })
    ids.set(feeId, submissionId)
  }
  await first.stop()
  for (const [column, submissionId] of ids) await place.execute(damage(column, submissionId))

  const second = await startEngine(t, devnet, { open: place.open })
  for (const [column, submissionId] of ids) {
    const found = second.engine.find(submissionId)
    if (NEEDED.includes(column))
      await t.rejects(found, { code: 'SUBMISSION_DAMAGED', statusCode: 500 }, column)
    else t.match(await found, { submissionId }, column)
    // While the caller is unreadable, no one is authorized to read the result.
    const retry = second.submit(column)
    if (['caller', ...NEEDED].includes(column))
      await t.rejects(retry, { code: 'SUBMISSION_DAMAGED' }, `a retry: ${column}`)
    else t.match(await retry, { submissionId }, `a retry: ${column}`)
  }
  const { submissionId } = await second.submit('new')
  accepted.push({ feeId: 'new', submission: await second.engine.settled(submissionId, PATIENCE_MS) })
  t.same(second.engine.health().blockers, [])
  assertExactlyOnce(t, readChain(devnet, address), accepted)
})
