import { readFile } from 'node:fs/promises'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { createAuthority } from '../../helpers/postgres/certificates.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { receiveWebhooks } from '../../helpers/webhook-receiver.ts'
import { expectedIds, idsOf } from '../../helpers/webhook-record.ts'

test('webhooks reach a TLS receiver with a private CA only if NODE_EXTRA_CA_CERTS includes that CA', async t => {
  const authority = await createAuthority(t)
  const { certificate, key } = await authority.issue('IP:127.0.0.1')
  const secure = { cert: await readFile(certificate), key: await readFile(key) }
  const receiver = await receiveWebhooks(t, (_event, response) => response.end(), secure)
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, { ...receiver.env, NODE_ENV: 'production' })

  const untrusting = await startServer(t, env)
  await untrusting.saw(/"msg":"engine ready"/)
  const answer = await patientPost(`${untrusting.url}/submit`, submitBody('fee-1'))
  t.equal(answer.status, 200)
  const { submissionId } = JSON.parse(await answer.text())
  const [line] = await untrusting.saw(/.*webhooks could not be delivered.*/)
  t.match(JSON.parse(line), { problem: /certificate/ })
  await untrusting.stop()
  t.equal(receiver.seen.length, 0, 'nothing is sent to an untrusted receiver')

  await startServer(t, { ...env, NODE_EXTRA_CA_CERTS: authority.certificate })
  await until(() => receiver.events.length === 2, 'both webhooks have arrived')
  t.strictSame(idsOf(receiver.events), expectedIds([submissionId]))
  t.match(receiver.url, /^https:/)
})
