import type { ServerResponse } from 'node:http'
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
