import { createSecretKey } from 'node:crypto'
import { isSameReceiver } from '../../../services/webhooks/receivers.ts'
import { test } from '../../helpers/tap.ts'

test('a receiver is another one if its URL or any of its secrets differs', t => {
  const receiver = (url: string, ...secrets: string[]) => ({
    receiver: 'shop',
    url,
    keys: secrets.map(secret => createSecretKey(secret, 'utf8')),
    types: []
  })
  const present = receiver('https://shop.example/webhooks', 'old', 'new')
  t.ok(isSameReceiver(present, receiver(present.url, 'old', 'new')))
  for (const next of [
    receiver('https://shop.example/hooks', 'old', 'new'),
    receiver(present.url, 'newer', 'new'),
    receiver(present.url, 'old', 'newer'),
    receiver(present.url, 'old')
  ]) {
    t.notOk(isSameReceiver(present, next))
    t.notOk(isSameReceiver(next, present))
  }
  t.end()
})
