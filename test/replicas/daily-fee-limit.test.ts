import { test } from '../helpers/tap.ts'
import { submitBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'
import { replicaSite, untilReady } from './replicas.ts'

function post({ url }: { url: string }, feeId: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/submit`, { method: 'POST', headers, body: submitBody(feeId) })
}

test('replicas share SERVICE_DAILY_FEE_LIMIT, whichever accepted and whichever paid', async t => {
  const site = await replicaSite(t)
  const limited = { SERVICE_DAILY_FEE_LIMIT: '1' }
  const first = await site.start(limited)
  const second = await site.start(limited)
  await untilReady([first, second])
  t.equal((await post(first, 'fee-0')).status, 200, 'nothing is spent yet')
  for (const replica of [first, second]) {
    let count = 0
    const refused = await until(async () => {
      count += 1
      const answer = await post(replica, `${replica.url}-${count}`)
      return answer.status === 503 && answer
    }, 'the limit is reached')
    t.match(await refused.json(), { code: 'DAILY_FEE_LIMIT' })
    t.equal((await post(replica, 'fee-0')).status, 200, 'a retry returns the existing submission')
  }

  const third = await site.start(limited)
  t.match(await (await post(third, 'new')).json(), { code: 'DAILY_FEE_LIMIT' }, 'a new replica, at once')
  await site.stop(first, 'SIGKILL')
  await site.stop(second, 'SIGKILL')
  await untilReady([third])
  t.match(await (await post(third, 'new')).json(), { code: 'DAILY_FEE_LIMIT' }, 'as the leader too')
})
