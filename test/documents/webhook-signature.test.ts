import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { temporaryFolder } from '../helpers/app.ts'
import { type Test, test } from '../helpers/tap.ts'
import { blocksOf } from './blocks.ts'

type IsGenuine = (body: string, headers: Record<string, string>) => boolean

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

/** Loads the documented program that verifies signatures with only Node, and gives it this secret. */
async function start(t: Test, secret: string | undefined): Promise<IsGenuine> {
  const program = blocksOf('docs/events-and-webhooks.md').find(({ text }) => text.includes('isGenuine'))
  const path = join(temporaryFolder(t), 'receiver.mts')
  writeFileSync(path, program?.text ?? '')
  if (secret === undefined) delete process.env['WEBHOOK_SECRET']
  else process.env['WEBHOOK_SECRET'] = secret
  return (await import(pathToFileURL(path).href)).isGenuine
}

function sign(secret: string, body: string, at = new Date()): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body)
  }
}

test('the documented check accepts only webhooks signed by the service', async t => {
  const isGenuine = await start(t, secretOf(32))
  const body = '{ "type": "transfer.finished" }'
  const headers = sign(secretOf(32), body)
  const signature = headers['webhook-signature']
  t.ok(isGenuine(body, headers))
  t.ok(
    isGenuine(body, { ...headers, 'webhook-signature': `v1,b3RoZXI= ${signature}` }),
    'one valid signature among several'
  )
  t.notOk(isGenuine(JSON.stringify(JSON.parse(body)), headers), 'the same JSON in another format')
  t.notOk(isGenuine(body, { ...headers, 'webhook-id': 'msg_2' }))
  t.notOk(isGenuine(body, sign(secretOf(24), body)), 'another secret')
  for (const age of [-301_000, 301_000])
    t.notOk(isGenuine(body, sign(secretOf(32), body, new Date(Date.now() - age))), `${age} ms old`)
  for (const name of Object.keys(headers)) {
    const { [name]: _, ...others } = headers
    t.notOk(isGenuine(body, others), `without ${name}`)
  }
})

test('the documented check refuses to start if the secret is missing or too short', async t => {
  for (const secret of [undefined, '', 'whsec_', secretOf(8)])
    await t.rejects(start(t, secret), { message: 'WEBHOOK_SECRET is missing or too short' })
})
