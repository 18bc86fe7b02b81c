import { createSecretKey, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { signedHeaders } from '../../../services/webhooks/signature.ts'
import { blocksOf } from '../../documents/blocks.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'

const body = JSON.stringify({ type: 'submission.committed', data: { amount: '1', note: 'ä€😀' } })
const now = () => Math.floor(Date.now() / 1000)

test('receivers verify the signature after Standard Webhooks', async t => {
  for (const length of [24, 32, 64]) {
    const bytes = randomBytes(length)
    const webhook = new Webhook(`whsec_${bytes.toString('base64')}`)
    // Two, while a secret is changed.
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

test('the check by Node alone that is documented accepts what is genuine, and nothing else', async t => {
  const program = blocksOf('docs/events-and-webhooks.md').find(({ text }) => text.includes('timingSafeEqual'))
  const file = join(temporaryFolder(t), 'check.mts')
  writeFileSync(file, program?.text ?? '')
  const bytes = randomBytes(32)
  process.env['WEBHOOK_SECRET'] = `whsec_${bytes.toString('base64')}`
  const { isGenuine } = await import(pathToFileURL(file).href)
  const signed = (seconds: number, key = bytes) =>
    signedHeaders([createSecretKey(key)], 'msg_1', seconds, body)
  const genuine = signed(now())
  t.equal(isGenuine(body, genuine), true)
  const two = `v1,AAAA ${genuine['webhook-signature']}`
  t.equal(isGenuine(body, { ...genuine, 'webhook-signature': two }), true, 'one of two signatures')
  t.equal(isGenuine(`${body} `, genuine), false, 'another body')
  t.equal(isGenuine(body, { ...genuine, 'webhook-id': 'msg_2' }), false, 'another id')
  t.equal(isGenuine(body, signed(now(), randomBytes(32))), false, 'another secret')
  t.equal(isGenuine(body, signed(now() - 360)), false, 'a replay')
  t.equal(isGenuine(body, {}), false, 'no headers')
})
