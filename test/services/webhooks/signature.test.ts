import { createSecretKey, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { signedHeaders } from '../../../services/webhooks/signature.ts'
import { test } from '../../helpers/tap.ts'

const body = JSON.stringify({ type: 'submission.committed', data: { amount: '1', note: 'ä€😀' } })
const now = () => Math.floor(Date.now() / 1000)

test('receivers verify the signature after Standard Webhooks', async t => {
  for (const length of [24, 32, 64]) {
    const bytes = randomBytes(length)
    const webhook = new Webhook(`whsec_${bytes.toString('base64')}`)
    // Two keys, as during a change of the secret.
    const keys = [randomBytes(32), bytes].map(secret => createSecretKey(secret))
    const headers = signedHeaders(keys, 'msg_1', now(), body)
    t.strictSame(webhook.verify(body, headers), JSON.parse(body))
    t.throws(() => webhook.verify(body.replace('"1"', '"2"'), headers), 'another amount')
    t.throws(() => webhook.verify(body, { ...headers, 'webhook-id': 'msg_2' }), 'another id')
    const later = String(now() + 1)
    t.throws(() => webhook.verify(body, { ...headers, 'webhook-timestamp': later }), 'another time')
    t.throws(
      () => new Webhook(randomBytes(length).toString('base64')).verify(body, headers),
      'another secret'
    )
    const old = signedHeaders([createSecretKey(bytes)], 'msg_1', now() - 360, body)
    t.throws(() => webhook.verify(body, old), 'a replay')
  }
})
