import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { temporaryFolder } from '../helpers/app.ts'
import { stopClock } from '../helpers/clock.ts'
import { test } from '../helpers/tap.ts'
import { blocksOf } from './blocks.ts'

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

function sign(secret: string, body: string, at = new Date()): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body)
  }
}

test('the documented check accepts only webhooks signed by the service', async t => {
  stopClock(t)
  const program = blocksOf('docs/events-and-webhooks.md').find(({ text }) => text.includes('isGenuine'))
  const path = join(temporaryFolder(t), 'receiver.mts')
  writeFileSync(path, program?.text ?? '')
  const load = () => import(`${pathToFileURL(path).href}?${randomUUID()}`)
  t.teardown(() => delete process.env['WEBHOOK_SECRET'])
  for (const secret of ['', secretOf(8)]) {
    process.env['WEBHOOK_SECRET'] = secret
    await t.rejects(load(), { message: 'WEBHOOK_SECRET is missing or too short' })
  }
  process.env['WEBHOOK_SECRET'] = secretOf(32)
  const { isGenuine } = await load()

  const body = '{ "type": "transfer.finished" }'
  const headers = sign(secretOf(32), body)
  const signature = headers['webhook-signature']
  t.ok(isGenuine(body, headers))
  t.ok(isGenuine(body, { ...headers, 'webhook-signature': `v1,b3RoZXI= ${signature}` }), 'several signatures')
  const late = [-301_000, 301_000].map(age => sign(secretOf(32), body, new Date(Date.now() - age)))
  const without = Object.keys(headers).map(name => ({ ...headers, [name]: undefined }))
  const wrong = [{ ...headers, 'webhook-id': 'msg_2' }, sign(secretOf(24), body), ...late, ...without]
  for (const each of wrong) t.notOk(isGenuine(body, each), JSON.stringify(each))
  t.notOk(isGenuine(JSON.stringify(JSON.parse(body)), headers), 'the same JSON in another format')
})
