import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'libsql'
import { specialTargets } from '../../packages/devnet/modules/transfer/special-addresses.ts'
import { build, startNetwork, temporaryFolder, untilReady } from '../helpers/app.ts'
import { keyFile } from '../helpers/callers.ts'
import { stretchTimers } from '../helpers/clock.ts'
import { untilSample } from '../helpers/metrics.ts'
import { test } from '../helpers/tap.ts'
import { cardBody, ROUTE, submit, swapBody, transferBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'
import { receiveWebhooks } from '../helpers/webhook-receiver.ts'

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

test('a delivery that a stop interrupts is repeated after the next start', async t => {
  const devnet = await startNetwork(t)
  let isSilent = true
  const { env: webhook, events } = await receiveWebhooks(t, (_event, response) => {
    if (!isSilent) response.end()
  })
  const env = { ...webhook, SERVICE_DATA_DIR: temporaryFolder(t) }
  const before = await build(t, env, { devnet })
  const { submissionId } = (await submit(before, await transferBody(before))).json()
  await until(() => events.length === 1, 'the delivery is in progress')
  await before.close()
  const database = new Database(join(env.SERVICE_DATA_DIR, 'submissions.db'))
  const reserved = database.prepare('SELECT * FROM event WHERE due_at > ?').all([Date.now()])
  database.close()
  t.strictSame(reserved, [], 'the event’s claim has been released')

  isSilent = false
  await build(t, env, { devnet })
  const ids = () => [...new Set(events.map(({ id }) => id))]
  await until(() => ids().length === 2, 'both events have arrived')
  t.strictSame(ids(), [`msg_${submissionId}_committed`, `msg_${submissionId}_finished`])
  for (const event of events.slice(1, -1)) t.strictSame(event, events[0], 'a repeated event is unchanged')
})

test('an event has its submission, the request’s amounts and parties, and nothing else', async t => {
  const { events, env } = await receiveWebhooks(t)
  const server = await build(t, env)
  const options = { transactionIdSeed: randomUUID(), holder: 'A. Person' }
  const [transfer, swap, card] = [await transferBody(server), swapBody({}, options), cardBody({}, options)]
  const amounts = { amountIn: '100.5', amountOut: '99.9', fee: '0.41275' }
  const rail = { ...ROUTE, originChain: 'FIAT', originAddress: '', originSymbol: 'USD' }
  const payment = { ...rail, amount: '100.5', fee: '0.42' }
  const target = { targetAddress: specialTargets.refusedByEvent }
  for (const [type, body, kind, request] of [
    ['committed', transfer, 'transfer', { ...ROUTE, amount: '100.5', fee: '0.41275' }],
    ['committed', swap, 'swap', { ...ROUTE, ...amounts }],
    ['committed', card, 'transfer', payment],
    ['rejected', cardBody(target), 'transfer', { ...payment, ...target }]
  ] as const) {
    await submit(server, body, { path: kind === 'swap' ? '/submit/swap' : '/submit' })
    const { feeId, transactionIdSeed } = JSON.parse(body.options)
    const found = () => events.find(({ data }) => data.submission && data.request['feeId'] === feeId)
    const event = await until(found, 'the event has arrived')
    t.equal(event.type, `submission.${type}`)
    const submission = (await server.inject(`/submissions/${event.data.submission?.submissionId}`)).json()
    t.equal(Reflect.get(event, 'timestamp'), submission.updatedAt)
    const ids = { feeId, ...(request.originChain === 'FIAT' && { transactionIdSeed }) }
    t.strictSame(event.data, { kind, submission, request: { ...ids, ...request } })
  }
})

test('sends both events of a transfer, and redelivers them for the scope operate', async t => {
  const { events, env: webhook } = await receiveWebhooks(t)
  const { variables, add } = keyFile(t)
  const env = { ...webhook, ...variables, LOG_LEVEL: 'info' }
  const operator = add('operator', { scopes: ['operate'] })
  const reader = add('reader', { scopes: ['read'] })
  const lines: string[] = []
  const server = await build(t, env, { logTo: line => lines.push(line) })
  const { submissionId, txId } = (await submit(server, await transferBody(server))).json()
  await until(() => events.length === 2, 'both events have arrived')
  const [record] = (await server.inject(`/tx/${txId}/status`)).json().data.transaction_data
  const common = { kind: 'transfer', request: { originChain: 'ETH', targetChain: 'POL' } }
  t.match(events, [
    { type: 'submission.committed', data: { ...common, submission: { submissionId } } },
    { type: 'transfer.finished', data: { ...common, submissionId, txId, record } }
  ])
  t.equal(record.txstatus, 'Completed')
  await untilSample(server, 'service_webhook_events_pending', {}, value => value === 0)
  const redeliver = (headers: Record<string, string>, payload: object) =>
    server.inject({ method: 'POST', url: '/webhooks/redeliver', headers, payload })

  const again = await redeliver(operator, { submissionId })
  t.strictSame([again.statusCode, again.json()], [200, { events: 2 }])
  await until(() => events.length === 4, 'the events are redelivered')
  t.strictSame(events.slice(2), events.slice(0, 2))
  t.match((await redeliver(operator, {})).json(), { statusCode: 404, code: 'NOT_FOUND' })
  const unknown = { code: 'VALIDATION', details: [{ path: '/submissionID', message: 'is unknown' }] }
  t.match((await redeliver(operator, { submissionID: submissionId })).json(), unknown)
  t.match((await redeliver(reader, {})).json(), { statusCode: 403, code: 'SCOPE_MISSING' })
  t.equal((await redeliver({}, {})).statusCode, 401)
  await server.close()
  const actor = 'caller operator'
  const wallet = server.signer.address
  const audits = lines.map(line => JSON.parse(line)).filter(({ audit }) => audit === true)
  t.match(audits, [
    { actor: 'server', action: 'start', outcome: 'done', environment: 'testnet', wallet },
    { actor, action: 'redeliver', outcome: 'done', submissionId },
    { actor, action: 'redeliver', outcome: 'no such event' },
    { actor: 'server', action: 'stop', outcome: 'done' }
  ])
})
