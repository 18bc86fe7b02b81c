import { createIdentityLimiter } from '../../../services/requests/identity-limiter.ts'
import { test } from '../../helpers/tap.ts'

test('rejects the 34th concurrent request for a feeId, and accepts another once a request has finished', async t => {
  const limiter = createIdentityLimiter()
  const ends: (() => void)[] = []
  const order: number[] = []
  const request = (name: number) =>
    limiter('fee-1', () => {
      order.push(name)
      return new Promise<void>(resolve => ends.push(resolve))
    })
  const requests = Array.from({ length: 33 }, (_, name) => request(name))
  await t.rejects(request(33), { statusCode: 503, code: 'UPSTREAM_BUSY' })
  t.equal(await limiter('fee-2', async () => 'at once'), 'at once')
  t.same(order, [0])
  ends.shift()?.()
  await requests[0]
  requests.push(request(34))
  for (const earlier of requests.slice(1)) {
    ends.shift()?.()
    await earlier
  }
  t.same(order, [...Array(33).keys(), 34])
})
