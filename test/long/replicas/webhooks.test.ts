import type { ServerResponse } from 'node:http'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { receiveWebhooks } from '../../helpers/webhook-receiver.ts'
import { assertConsistent, expectedIds, idsOf } from '../../helpers/webhook-record.ts'
import { type Replica, replicaSite } from './replicas.ts'

const COUNT = 60

/** Maximum number of concurrent deliveries per replica. */
const MOST_OF_ONE = 16

async function submitMany(replicas: readonly Replica[]): Promise<string[]> {
  return Promise.all(
    Array.from({ length: COUNT }, async (_, at) => {
      const { url } = replicas[at % replicas.length] ?? { url: '' }
      const answer = await patientPost(`${url}/submit`, submitBody(`fee-${at}`))
      const { submissionId }: { submissionId: string } = JSON.parse(await answer.text())
      return submissionId
    })
  )
}

test('another replica takes over the deliveries of a killed one', async t => {
  const owed: ServerResponse[] = []
  let isKilled = false
  const receiver = await receiveWebhooks(t, (_event, response) => {
    if (isKilled) response.end()
    else owed.push(response)
  })
  const { start, stop, leader } = await replicaSite(t)
  const replicas = [await start(receiver.env), await start(receiver.env)]
  await leader()
  const submissionIds = await submitMany(replicas)
  await until(() => owed.length > MOST_OF_ONE, 'both replicas have deliveries in progress')
  const [first] = replicas
  if (first) await stop(first, 'SIGKILL')
  isKilled = true
  for (const response of owed) response.end()
  const expected = expectedIds(submissionIds)
  await until(() => idsOf(receiver.events).length === expected.length, 'every event has arrived')
  t.strictSame(idsOf(receiver.events), expected)
  t.ok(receiver.events.length > expected.length, 'the events of the killed replica were delivered again')
  assertConsistent(t, receiver.events)
})
