import { createSecretKey, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { createReceiver, type Receiver } from '../../../services/webhooks/receiver.ts'
import { type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

const bytes = randomBytes(32)
const webhook = new Webhook(bytes.toString('base64'))
const payload = JSON.stringify({ type: 'submission.committed', data: { note: 'ä€😀' } })
const event = { eventId: 'msg_1_committed', payload }

function receiverAt(t: Test, url: string): Receiver {
  // Two keys are configured while a secret is being replaced.
  const keys = [randomBytes(32), bytes].map(secret => createSecretKey(secret))
  const receiver = createReceiver({ url, keys })
  t.teardown(receiver.close)
  return receiver
}

const verify = ({ body, headers }: SeenRequest) => webhook.verify(body, headers as Record<string, string>)

test('posts an event with a valid signature to the unchanged URL', async t => {
  const server = await serve(t, (_request, response) => response.writeHead(204).end())
  const url = server.url.replace('://', '://user%40:pass%22@')
  const receiver = receiverAt(t, `${url}/hooks/?key=a%2Fb`)
  t.strictSame(await receiver.send(event), { isDelivered: true, detail: 'status 204' })
  const [request] = server.seen
  t.match(request, { method: 'POST', url: '/hooks/?key=a%2Fb', body: event.payload })
  t.match(request?.headers, {
    'content-type': 'application/json',
    'user-agent': 'transaction-back-end',
    authorization: `Basic ${Buffer.from('user@:pass"').toString('base64')}`,
    'webhook-id': event.eventId
  })
  t.strictSame(request && verify(request), JSON.parse(event.payload))
})

test('treats a 2xx status as delivered and any other status as refused', async t => {
  let status = 200
  let fields = {}
  const { url } = await serve(t, (_request, response) => response.writeHead(status, fields).end('no'))
  const receiver = receiverAt(t, url)
  for (status of [200, 204, 299]) t.match(await receiver.send(event), { isDelivered: true })
  for (status of [300, 301, 304, 400, 410, 429, 503]) {
    t.strictSame(await receiver.send(event), { isDelivered: false, detail: `status ${status}` })
  }
  fields = { 'retry-after': '90' }
  t.match(await receiver.send(event), { isDelivered: false, retryAfterMs: 90_000 })
})

test('failure details are short, and contain only the URL’s host', async t => {
  const { url, close } = await serve(t, () => {})
  close()
  const sealed = `${url.replace('://', '://sealed-user:sealed-pass@')}/sealed-path?key=sealed-key`
  t.notMatch(JSON.stringify(await receiverAt(t, sealed).send(event)), /sealed/)
  const outcome = await receiverAt(t, `http://${'long.'.repeat(1000)}invalid`).send(event)
  t.match(outcome, { isDelivered: false, detail: /^.{1,500}$/ }, 'a host name is shortened')
})

test('follows no redirect, and closes a connection whose response body does not end', async t => {
  const elsewhere = await serve(t, (_request, response) => response.end())
  let closed = 0
  let status = 200
  const { url } = await serve(t, (_request, response) => {
    response.writeHead(status, { 'content-length': 99, location: elsewhere.url }).write('{')
    response.on('close', () => {
      closed += 1
    })
  })
  const receiver = receiverAt(t, url)
  t.match(await receiver.send(event), { isDelivered: true })
  for (status of [301, 307]) t.match(await receiver.send(event), { isDelivered: false })
  await until(() => closed === 3, 'the connections are closed')
  t.equal(elsewhere.connections(), 0)
})
