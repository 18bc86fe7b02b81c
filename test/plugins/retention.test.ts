import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'libsql'
import { build, startNetwork, temporaryFolder } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

const DAY_MS = 86_400_000

test('startup deletes submissions that settled before the retention period and keeps all others', async t => {
  const devnet = await startNetwork(t)
  const SERVICE_DATA_DIR = join(temporaryFolder(t), 'data')
  const first = await build(t, { SERVICE_DATA_DIR }, { devnet })
  const body = await transferBody(first)
  const { submissionId: old } = (await submit(first, body)).json()
  const { submissionId: young } = (await submit(first, await transferBody(first))).json()
  await first.close()

  const database = new Database(join(SERVICE_DATA_DIR, 'submissions.db'))
  const settledAt = Date.now() - 31 * DAY_MS
  database.prepare('UPDATE submission SET settled_at = ? WHERE submission_id = ?').run(settledAt, old)
  database.close()

  const second = await build(t, { SERVICE_DATA_DIR, SERVICE_RETENTION_DAYS: '30' }, { devnet })
  const statusOf = async (id: string) => (await second.inject(`/submissions/${id}`)).statusCode
  await until(async () => (await statusOf(old)) === 404, 'the old submission is deleted')
  t.equal(await statusOf(young), 200)
  t.equal(await statusOf(randomUUID()), 404)
})
