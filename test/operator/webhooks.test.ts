import { build, startNetwork, temporaryFolder, testEnv } from '../helpers/app.ts'
import { operatorTool } from '../helpers/operator.ts'
import { startProcess } from '../helpers/process.ts'
import { root } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer.ts'
import { AWAY_WEBHOOK, receiveWebhooks } from '../helpers/webhook-receiver.ts'

test('trigger sends a signed sample of each type, or reports the receiver’s rejection', async t => {
  const devnet = await startNetwork(t)
  const { env, events, close } = await receiveWebhooks(t)
  const tool = operatorTool(t, devnet, { ...env, SERVICE_BRAND: 'acme' })
  const delivered = { code: 0, out: 'delivered, status 200\n' }
  const ofSubmissions = ['submission.committed', 'submission.rejected', 'transfer.finished']
  const types = [...ofSubmissions, 'wallet.low_balance', 'service.blocked', 'service.unblocked']
  for (const type of types) t.match(await tool('trigger', type), delivered)
  for (const [index, type] of types.entries()) t.equal(events[index]?.type, type)
  t.match(await tool('trigger', 'transfer.finished', '--status', 'RefundCompleted'), delivered)
  const [committed, , completed, , , , refunded] = events
  t.match(committed?.data.submission, { status: 'committed', txId: 1 })
  t.match(completed?.data, { txId: 1, record: { txstatus: 'Completed', acmehash: /^[0-9A-F]{64}$/ } })
  t.match(refunded?.data, { record: { txstatus: 'RefundCompleted' } })
  t.not(completed?.data.submissionId, refunded?.data.submissionId)
  t.match(await tool('send-test-event'), delivered)
  t.match(events.at(-1), { type: 'webhook.test', id: /^msg_test_/ })
  t.equal(new Set(events.map(({ id }) => id)).size, events.length)

  close()
  const { port } = new URL(env.SERVICE_WEBHOOK_URL)
  const away = `not delivered, connect ECONNREFUSED 127.0.0.1:${port}\n`
  for (const command of [['trigger', 'service.blocked'], ['send-test-event']])
    t.strictSame(await tool(...command), { code: 1, out: away, err: '' })
  const unset = operatorTool(t, devnet, {})
  t.match(await unset('trigger', 'service.blocked'), { code: 1, err: 'no webhook receiver is configured\n' })
})

test('listen forwards each new result, and retries while the target refuses it', async t => {
  const devnet = await startNetwork(t)
  const variables = { SERVICE_DATA_DIR: temporaryFolder(t) }
  const server = await build(t, variables, { devnet })
  t.equal((await submit(server, await transferBody(server))).statusCode, 200, 'before the tool listens')

  let isAway = true
  const target = await receiveWebhooks(t, (_event, response) => response.writeHead(isAway ? 503 : 200).end())
  const env = testEnv(t, devnet, { ...variables, ...AWAY_WEBHOOK })
  const tsx = ['--import', import.meta.resolve('tsx/esm')]
  const words = [...tsx, 'packages/operator/cli.ts', 'listen', '--forward', `${target.url}/hook`]
  const listening = startProcess(t, process.execPath, words, { cwd: root, env })
  await listening.saw(/^Forwarding to 127\.0\.0\.1:\d+$/m)
  const headers = { 'x-request-id': 'req-7' }
  const { submissionId } = (await submit(server, await transferBody(server), { headers })).json()
  const postponed = `^submission.committed ${submissionId} postponed: status 503, again in \\d s$`
  await listening.saw(new RegExp(postponed, 'm'))
  isAway = false
  await listening.saw(new RegExp(`^transfer.finished ${submissionId} delivered: status 200$`, 'm'))
  const sent = target.events.map(({ id, type }) => [id, type])
  const committed = [`msg_${submissionId}_committed`, 'submission.committed']
  t.strictSame(sent, [committed, committed, [`msg_${submissionId}_finished`, 'transfer.finished']])
  t.match(target.events[2]?.data.record, { txstatus: 'Completed' })
  const shown = await operatorTool(t, devnet, variables)('show', submissionId, '--json')
  const quoted = { what: 'quote', feeId: String, fee: String, expires: String }
  const [first, second] = JSON.parse(shown.out).timeline
  t.match([first, second], [quoted, { what: 'accepted', requestId: 'req-7' }])
  t.equal(await listening.stop('SIGINT'), 0)
})
