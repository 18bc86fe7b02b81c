import { createMessageTypes } from '../../../services/messages/index.ts'
import { build, startNetwork, temporaryFolder, untilReady } from '../../helpers/app.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, submit, transferBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { receiveWebhooks } from '../../helpers/webhook-receiver.ts'

const { requestTransaction } = createMessageTypes('service')

test('shadow mode reports its response and message, and executes nothing', async t => {
  const devnet = await startNetwork(t)
  const { env: webhooks, events } = await receiveWebhooks(t)
  const env = { ...webhooks, SERVICE_DATA_DIR: temporaryFolder(t), LOG_LEVEL: 'info' }
  const lines: string[] = []
  // The quotes of the other back end are unknown here.
  const shadowing = { ...env, SERVICE_SHADOW: 'true', SERVICE_QUOTE_CHECK: 'required' }
  const shadow = await build(t, shadowing, { devnet, logTo: line => lines.push(line) })

  const body = await transferBody(shadow)
  const { feeId } = JSON.parse(body.options)
  const answer = await submit(shadow, body)
  const report = { statusCode: 200, typeUrl: requestTransaction.typeUrl }
  const fields = { creator: shadow.signer.address, originChain: 'ETH', amount: '100.5', fee: '0.41275' }
  t.match(answer.json(), { statusCode: 503, code: 'SHADOW', shadow: { ...report, fields } })
  const { message } = answer.json().shadow
  t.match(requestTransaction.decode(Buffer.from(message, 'base64')), fields)
  const line = lines.find(line => line.includes('would have been accepted')) ?? '{}'
  t.match(JSON.parse(line), { feeId, ...report, fields })
  t.notMatch(lines.join(''), /0xsigned/, 'no signature is logged')

  const card = cardBody()
  const { transactionIdSeed } = JSON.parse(card.options)
  const cases: [name: string, body: object, expected: object][] = [
    ['a retry', body, { code: 'SHADOW', shadow: { message } }],
    ['another transfer with its feeId', { ...body, htlcVersion: 'other' }, { code: 'QUOTE_ALREADY_USED' }],
    ['a quote of another back end', card, { code: 'SHADOW' }],
    ['a payment twice', cardBody({}, { transactionIdSeed }), { code: 'PAYMENT_ALREADY_USED' }],
    ['another amount', { ...(await transferBody(shadow)), amount: '1' }, { code: 'QUOTE_MISMATCH' }],
    ['options as an object', { ...body, options: { feeId } }, { details: [{ path: '/options' }] }]
  ]
  for (const [name, body, expected] of cases) t.match((await submit(shadow, body)).json(), expected, name)

  const { checks } = (await shadow.inject('/ready')).json()
  t.match(checks, { engine: { ok: false, detail: 'shadow', action: /SERVICE_SHADOW/ }, store: { ok: true } })
  await shadow.close()

  const server = await build(t, env, { devnet })
  await untilReady(server)
  t.equal(await server.store.countUnsettled(), 0)
  t.strictSame((await server.submissions.list({}, 10)).submissions, [])
  t.match((await submit(server, body)).json(), { txId: 1 }, 'only a submission to this server is executed')
  t.equal(messagesOn(devnet).transfers.length, 1)
  await until(() => events.length === 2, 'its events have arrived')
})
