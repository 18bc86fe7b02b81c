import { createFeeIdTurns } from '../../../services/requests/fee-id-turns.ts'
import { test } from '../../helpers/tap.ts'

test('the 34th request of one feeId at the same time gets 503, and one more may come when one has ended', async t => {
  const inTurn = createFeeIdTurns()
  const ends: (() => void)[] = []
  const order: number[] = []
  const request = (name: number) =>
    inTurn('fee-1', () => {
      order.push(name)
      return new Promise<void>(resolve => ends.push(resolve))
    })
  const requests = Array.from({ length: 33 }, (_, name) => request(name))
  await t.rejects(request(33), { statusCode: 503, code: 'UPSTREAM_BUSY' })
  t.equal(await inTurn('fee-2', async () => 'at once'), 'at once')
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

test('a request that fails does not affect the next', async t => {
  const inTurn = createFeeIdTurns()
  const failed = inTurn('fee-1', () => Promise.reject(new Error('refused')))
  const next = inTurn('fee-1', async () => 'accepted')
  await t.rejects(failed, { message: 'refused' })
  t.equal(await next, 'accepted')
})
