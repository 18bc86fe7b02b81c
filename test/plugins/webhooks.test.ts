import { join } from 'node:path'
import Database from 'libsql'
import { OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { build, startNetwork, temporaryFolder, untilReady } from '../helpers/app.ts'
import { caller, keyFile } from '../helpers/callers.ts'
import { advanceClock, stretchTimers } from '../helpers/clock.ts'
import { untilSample } from '../helpers/metrics.ts'
import { operatorTool } from '../helpers/operator.ts'
import { test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'
import { receiveWebhooks } from '../helpers/webhook-receiver.ts'

test('sends a webhook when a submission is committed and when its transfer is finished', async t => {
  const { env, events } = await receiveWebhooks(t)
  const server = await build(t, env)
  const body = await transferBody(server)
  const answer = await submit(server, body)
  t.equal(answer.statusCode, 200)
  const { submissionId, txId } = answer.json()
  await until(() => events.length === 2, 'both webhooks have arrived')

  const [committed, finished] = events
  const submission = (await server.inject(`/submissions/${submissionId}`)).json()
  t.match(committed, { type: 'submission.committed', data: { kind: 'transfer', submission } })
  const [record] = (await server.inject(`/tx/${txId}/status`)).json().data.transaction_data
  t.match(finished, {
    type: 'transfer.finished',
    data: { kind: 'transfer', submissionId, txId, record: { ...record, txstatus: 'Completed' } }
  })
  const { feeId } = JSON.parse(body.options)
  for (const event of events) t.match(event.data.request, { feeId, originChain: 'ETH', targetChain: 'POL' })

  await untilSample(server, 'service_webhook_events_pending', {}, value => value === 0)
})

test('a receiver that is down does not affect clients', async t => {
  const receiver = await receiveWebhooks(t)
  receiver.close()
  const lines: string[] = []
  const env = { ...receiver.env, LOG_LEVEL: 'info' }
  // The first attempt follows the block, not the next poll of the outbox.
  stretchTimers(t)
  const server = await build(t, env, { logTo: line => void lines.push(line) })
  t.equal((await submit(server, await transferBody(server))).statusCode, 200)
  const isLogged = () => lines.some(line => line.includes('webhooks could not be delivered'))
  await until(isLogged, 'the failed delivery is logged')
  await untilReady(server)
  await untilSample(server, 'service_webhook_events_pending', {}, value => value === 1)
  t.notMatch(lines.join(''), /\/webhooks"|sealed/)
})

test('after ten attempts an event is abandoned and the next one sent', async t => {
  const devnet = await startNetwork(t)
  const { env: webhook, events } = await receiveWebhooks(t, ({ type }, response) =>
    response.writeHead(type === 'submission.committed' ? 500 : 200).end()
  )
  const env = { ...webhook, SERVICE_DATA_DIR: temporaryFolder(t) }
  const before = await build(t, env, { devnet })
  t.equal((await submit(before, await transferBody(before))).statusCode, 200)
  await before.close()
  const database = new Database(join(env.SERVICE_DATA_DIR, 'submissions.db'))
  // Ten attempts take more than three days.
  database.exec('UPDATE event SET attempts = 9, due_at = 0, created_at = 0')
  database.close()

  const server = await build(t, env, { devnet })
  await untilSample(server, 'service_webhook_events_abandoned', {}, value => value === 1)
  await until(() => events.some(({ type }) => type === 'transfer.finished'), 'the next event has arrived')
  t.equal(events.at(-1)?.type, 'transfer.finished')
})

test('a caller with the operate scope can redeliver events', async t => {
  const { events, env: webhook } = await receiveWebhooks(t)
  const { variables, add } = keyFile(t)
  const env = { ...webhook, ...variables, LOG_LEVEL: 'info' }
  const devnet = await startNetwork(t)
  const operator = add('operator', { scopes: ['operate'] })
  const reader = add('reader', { scopes: ['read'] })
  const lines: string[] = []
  const server = await build(t, env, { devnet, logTo: line => lines.push(line) })
  const { submissionId } = (await submit(server, await transferBody(server))).json()
  await until(() => events.length === 2, 'all events have arrived')
  const redeliver = (headers: Record<string, string>, payload: object) =>
    server.inject({ method: 'POST', url: '/webhooks/redeliver', headers, payload })

  const again = await redeliver(operator, { submissionId })
  t.strictSame([again.statusCode, again.json()], [200, { events: 2 }])
  await until(() => events.length === 4, 'the events are redelivered')
  t.strictSame(events.slice(2), events.slice(0, 2))
  t.match((await redeliver(operator, {})).json(), { statusCode: 404, code: 'NOT_FOUND' })
  t.match((await redeliver(operator, { submissionID: submissionId })).json(), {
    code: 'VALIDATION',
    details: [{ path: '/submissionID', message: 'is unknown' }]
  })
  t.match((await redeliver(reader, {})).json(), { statusCode: 403, code: 'SCOPE_MISSING' })
  t.equal((await redeliver({}, {})).statusCode, 401)
  await server.close()
  const actor = 'caller operator'
  const wallet = server.signer.address
  t.match(
    lines.map(line => JSON.parse(line)).filter(({ audit }) => audit === true),
    [
      { actor: 'server', action: 'start', outcome: 'done', environment: 'testnet', wallet },
      { actor, action: 'redeliver', outcome: 'done', submissionId },
      { actor, action: 'redeliver', outcome: 'no such event' },
      { actor: 'server', action: 'stop', outcome: 'done' }
    ]
  )
})

test('redelivery returns 501 if no receiver is configured', async t => {
  const { variables, headers } = caller(t)
  const server = await build(t, variables)
  const response = await server.inject({ method: 'POST', url: '/webhooks/redeliver', headers, payload: {} })
  t.match(response.json(), { statusCode: 501 })
})

test('the operator tool sends a signed test event and reports a failure', async t => {
  let status = 204
  const receiver = await receiveWebhooks(t, (_, response) => response.writeHead(status).end())
  const tool = operatorTool(t, await startNetwork(t), receiver.env)
  t.match(await tool('send-test-event'), { code: 0, out: 'delivered, status 204\n' })
  t.match(receiver.events, [{ type: 'webhook.test', id: /^msg_test_/ }])
  status = 500
  t.match(await tool('send-test-event'), { code: 1, out: 'not delivered, status 500\n' })
})

test('reports a blocked service, its recovery and a low balance to the operator', async t => {
  const { env, events } = await receiveWebhooks(t)
  const devnet = await startNetwork(t, { control: true })
  const { other } = devnet.addresses
  const settings = {
    ...env,
    SERVICE_BACKEND_MNEMONIC: OTHER_WALLET,
    SERVICE_DAILY_FEE_LIMIT: '9'.repeat(30),
    SERVICE_DATA_DIR: temporaryFolder(t)
  }
  const server = await build(t, settings, { devnet })
  const typesOf = () => events.map(({ type }) => type).sort()
  const both = ['service.blocked', 'wallet.low_balance']
  advanceClock(11)
  await until(() => events.length === 2, 'the receiver has both events')
  t.strictSame(typesOf(), both)
  const data = { blocker: 'wallet-not-whitelisted', since: String, reason: String, action: /whitelist/ }
  const blocked = events.find(({ type }) => type === 'service.blocked')
  t.match(blocked, { data })
  await server.close()

  const again = await build(t, settings, { devnet })
  await until(() => again.submissions.health().blockers.length === 2, 'the next leader has the same blockers')
  advanceClock(60)
  devnet.control.allow(other)
  await until(() => again.submissions.health().blockers.length === 1, 'the wallet is whitelisted')
  await untilReady(again)
  t.strictSame(typesOf(), both)
  await until(() => {
    advanceClock(61)
    return events.length === 3
  }, 'the end has arrived')
  t.match(events[2], { type: 'service.unblocked', data: { since: blocked?.data.since } })
})
