import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import Database from 'libsql'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { receiveWebhooks } from '../../helpers/webhook-receiver.ts'
import { assertConsistent, expectedIds, idsOf } from '../../helpers/webhook-record.ts'

const KILLS = 4
const BATCH = 15

test('kill -9 during deliveries loses no event, and pending events are redelivered with the same ids', async t => {
  /** Responses that the receiver holds back, so that deliveries are always in progress. */
  let owed: ServerResponse[] = []
  let isSlow = true
  const receiver = await receiveWebhooks(t, (_event, response) => {
    if (isSlow && owed.length < 3) owed.push(response)
    else response.end()
  })
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, receiver.env)
  const feeIds = Array.from({ length: KILLS * BATCH }, (_, at) => `fee-${at}`)
  const submit = (url: string, feeId: string) => patientPost(`${url}/submit`, submitBody(feeId))

  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await startServer(t, env)
    await server.saw(/"msg":"engine ready"/)
    const batch = feeIds.slice(kill * BATCH, (kill + 1) * BATCH)
    const answers = Promise.allSettled(batch.map(feeId => submit(server.url, feeId)))
    // Kill the server after one, two or three deliveries have started, so that kills hit it in different states.
    await until(() => owed.length >= Math.min(3, kill + 1), 'deliveries are in progress')
    await server.stop('SIGKILL')
    await answers
    owed = []
  }

  isSlow = false
  const server = await startServer(t, env)
  const submissionIds: string[] = []
  for (const feeId of feeIds) {
    const answer = await submit(server.url, feeId)
    t.equal(answer.status, 200)
    submissionIds.push(JSON.parse(await answer.text()).submissionId)
  }
  const expected = expectedIds(submissionIds)
  await until(() => idsOf(receiver.events).length === expected.length, 'every event has arrived')
  t.strictSame(idsOf(receiver.events), expected)
  t.ok(receiver.events.length > expected.length, 'interrupted deliveries are repeated')
  assertConsistent(t, receiver.events)
})

test('on SIGTERM during a delivery, the server exits in time and redelivers the event after the next start', async t => {
  let isSilent = true
  const receiver = await receiveWebhooks(t, (_event, response) => {
    if (!isSilent) response.end()
  })
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, receiver.env)
  const before = await startServer(t, env)
  await before.saw(/"msg":"engine ready"/)
  const answer = await patientPost(`${before.url}/submit`, submitBody('fee-1'))
  const { submissionId } = JSON.parse(await answer.text())
  await until(() => receiver.events.length === 1, 'the delivery is in progress')
  t.equal(await before.stop('SIGTERM'), 0)
  const store = new Database(join(`${env['SERVICE_DATA_DIR']}`, 'submissions.db'))
  const reserved = store.prepare('SELECT * FROM event WHERE due_at > ?').all(Date.now())
  store.close()
  t.strictSame(reserved, [], 'the event’s claim has been released')
  isSilent = false
  await startServer(t, env)
  await until(() => receiver.events.length > 1, 'the event is redelivered')
  await until(() => idsOf(receiver.events).length === 2, 'both events have arrived')
  t.strictSame(idsOf(receiver.events), expectedIds([submissionId]))
  assertConsistent(t, receiver.events)
})
