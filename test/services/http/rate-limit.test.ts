import { clientOf, createRateLimit } from '../../../services/http/rate-limit.ts'
import { test } from '../../helpers/tap.ts'

test('an address has so many requests per window, whatever others send', async t => {
  const count = createRateLimit({ max: 2, windowMs: 60_000 })
  t.same([count('192.0.2.1'), count('192.0.2.1')], [0, 0])
  const waitMs = count('192.0.2.1')
  t.ok(waitMs > 0 && waitMs <= 60_000, String(waitMs))
  t.equal(count('192.0.2.2'), 0)
})

test('a window ends, and the next request begins another one', async t => {
  const count = createRateLimit({ max: 1, windowMs: 1 })
  count('192.0.2.1')
  const waitMs = count('192.0.2.1')
  t.ok(waitMs <= 1)
  const end = performance.now() + 1
  while (performance.now() < end) count('192.0.2.2')
  t.equal(count('192.0.2.1'), 0)
})

const CLIENTS: [string, string][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:DB8:0001:2:ffff::', '2001:db8:1:2'],
  ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['Unknown', 'unknown'],
  ['no:address', 'no:address']
]
for (const [address, client] of CLIENTS) {
  test(`${address} counts as ${client}`, async t => {
    t.equal(clientOf(address), client)
  })
}
