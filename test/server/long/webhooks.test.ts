import { join } from 'node:path'
import Database from 'libsql'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { receiveWebhooks } from '../../helpers/webhook-receiver.ts'

test('a webhook delivery interrupted by SIGTERM is repeated after the next start', async t => {
  let isSilent = true
  const receiver = await receiveWebhooks(t, (_event, response) => {
    if (!isSilent) response.end()
  })
  const idsOf = () => [...new Set(receiver.events.map(({ id }) => id))].sort()
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
  await until(() => idsOf().length === 2, 'both events have arrived')
  const committed = `msg_${submissionId}_committed`
  t.strictSame(idsOf(), [committed, `msg_${submissionId}_finished`])
  t.equal(receiver.events[0]?.id, committed, 'the events arrive in order')
  for (const event of receiver.events) {
    const first = receiver.events.find(({ id }) => id === event.id)
    t.strictSame(event, first, 'a repeated event is unchanged')
  }
})
