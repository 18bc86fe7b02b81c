import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startNetwork, temporaryFolder, testEnv } from '../../helpers/app.ts'
import { privateKeyOf } from '../../helpers/leaks.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { fromSources, startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, swapBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'
import { receiveWebhooks, WEBHOOK_SECRET } from '../../helpers/webhook-receiver.ts'

const plugin = fileURLToPath(new URL('../../helpers/crawling-plugin.js', import.meta.url))

/** A key in each spelling, base64 without its padding. */
const spellings = (key: Buffer) => [
  key.toString('hex'),
  key.toString('base64').replace(/=+$/, ''),
  key.toString('base64url'),
  key.join()
]

/** Each run of three words, and the keys in each spelling, in the form in which the plugin reads them. */
async function needlesOf(mnemonic: string, webhookKey: Buffer): Promise<string> {
  const key = await privateKeyOf(mnemonic)
  const hex = key.toString('hex')
  const words = mnemonic.split(' ')
  const runs = words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`)
  const texts = [...runs, ...spellings(key), ...spellings(webhookKey)]
  const bytes = [hex, webhookKey.toString('hex'), Buffer.from(runs.join()).toString('hex')]
  return Buffer.from(JSON.stringify({ texts, bytes, number: String(BigInt(`0x${hex}`)) })).toString('hex')
}

test('a hostile plugin reaches neither the mnemonic, nor the private key, nor the key of webhooks', async t => {
  const folder = temporaryFolder(t)
  const { SERVICE_BACKEND_MNEMONIC: mnemonic = '', ...env } = testEnv(t, await startNetwork(t))
  const [phrase, needles] = [join(folder, 'phrase'), join(folder, 'needles')]
  writeFileSync(phrase, mnemonic)
  const receiver = await receiveWebhooks(t)
  const webhookSecret = join(folder, 'webhook-secret')
  writeFileSync(webhookSecret, WEBHOOK_SECRET)
  writeFileSync(needles, await needlesOf(mnemonic, Buffer.from(WEBHOOK_SECRET.slice(6), 'base64')))
  const variables = {
    ...env,
    SERVICE_WEBHOOK_URL: receiver.env['SERVICE_WEBHOOK_URL'] ?? '',
    SERVICE_WEBHOOK_SECRET_FILE: webhookSecret,
    SERVICE_BACKEND_MNEMONIC_FILE: phrase,
    SERVICE_CUSTOM_PLUGIN: plugin,
    NEEDLES: needles
  }
  const { url, saw } = await startServer(t, variables, fromSources)
  await saw(/"msg":"engine ready"/)
  const submit = (body: object, path = '/submit') =>
    patientFetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  // The wallet signs a transaction and the seed of a card payment.
  t.equal((await submit(cardBody())).status, 200)
  t.equal((await submit(swapBody(), '/submit/swap')).status, 200)
  t.equal((await submit({})).status, 400)
  t.equal((await patientFetch(`${url}/submit/transactionId?transactionIdSeed=${randomUUID()}`)).status, 200)
  await until(() => receiver.events.length > 0, 'a webhook was signed')

  const crawl = await patientFetch(`${url}/crawl`)
  const { found, visited }: { found: string[]; visited: number } = JSON.parse(await crawl.text())
  t.ok(visited > 100_000, 'it looked at all that it could reach', { visited })
  const own = ['planted bigint', 'planted bytes', 'planted numbers', 'planted text']
  t.strictSame(
    found.map(place => place.split('.')[0]).sort(),
    own,
    'it finds what it planted, and nothing else',
    {
      found
    }
  )
})
