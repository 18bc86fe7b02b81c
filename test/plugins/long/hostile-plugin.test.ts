import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { derivePrivateKey } from '../../../services/wallet/derivation.ts'
import { startNetwork, temporaryFolder, testEnv } from '../../helpers/app.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, swapBody } from '../../helpers/transfer-flow.ts'

const plugin = fileURLToPath(new URL('../../helpers/crawling-plugin.js', import.meta.url))

/** Each run of three words, and the key in each spelling, in the form in which the plugin reads them. */
async function needlesOf(mnemonic: string): Promise<string> {
  const key = Buffer.from(await derivePrivateKey(mnemonic))
  const hex = key.toString('hex')
  const words = mnemonic.split(' ')
  const runs = words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`)
  const base64 = key.toString('base64').replace(/=+$/, '')
  const texts = [...runs, hex, base64, key.toString('base64url'), key.join()]
  const bytes = [hex, Buffer.from(runs.join()).toString('hex')]
  return Buffer.from(JSON.stringify({ texts, bytes, number: String(BigInt(`0x${hex}`)) })).toString('hex')
}

test('a hostile plugin reaches neither the mnemonic nor the private key', async t => {
  const folder = temporaryFolder(t)
  const { SERVICE_BACKEND_MNEMONIC: mnemonic = '', ...env } = testEnv(t, await startNetwork(t))
  const [phrase, needles] = [join(folder, 'phrase'), join(folder, 'needles')]
  writeFileSync(phrase, mnemonic)
  writeFileSync(needles, await needlesOf(mnemonic))
  const { url } = await startServer(t, {
    ...env,
    SERVICE_BACKEND_MNEMONIC_FILE: phrase,
    SERVICE_CUSTOM_PLUGIN: plugin,
    NEEDLES: needles
  })
  const submit = (body: object, path = '/submit') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  // The wallet signs a transaction and the seed of a card payment.
  t.equal((await submit(cardBody())).status, 200)
  t.equal((await submit(swapBody(), '/submit/swap')).status, 200)
  t.equal((await submit({})).status, 400)
  t.equal((await fetch(`${url}/submit/transactionId?transactionIdSeed=${randomUUID()}`)).status, 200)

  const crawl = await fetch(`${url}/crawl`)
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
