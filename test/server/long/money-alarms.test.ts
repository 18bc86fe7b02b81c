import { build } from '../../helpers/app.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { untilSample } from '../../helpers/metrics.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody, submit as submitTo } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

test('SERVICE_DAILY_FEE_LIMIT stops signing and intake until midnight UTC', async t => {
  // Set the clock to 6:00 on a later day before the start, because the store keeps the clock that it starts with.
  advanceClock(2 * 86_400 - ((Date.now() / 1000 + 64_800) % 86_400))
  // The limit covers two transactions with one transfer each, but not ten. Submissions do not wait for their blocks.
  const limited = { SERVICE_DAILY_FEE_LIMIT: '10000', SERVICE_SUBMIT_TIMEOUT: '1' }
  const server = await build(t, limited)
  const submit = (feeId: string) => submitTo(server, JSON.parse(submitBody(feeId)))
  const untilMidnight = () => Math.ceil(86_400 - ((Date.now() / 1000) % 86_400))
  let count = 0
  let most = 0
  const refused = await until(async () => {
    count += 1
    most = untilMidnight()
    const response = await submit(`fee-${count}`)
    return response.statusCode === 503 && response
  }, 'the daily fee limit is reached')
  t.equal(refused.json().code, 'DAILY_FEE_LIMIT')
  const retryAfter = Number(refused.headers['retry-after'])
  t.ok(untilMidnight() <= retryAfter && retryAfter <= most, `${retryAfter} s until midnight`)
  await until(async () => (await submit('fee-1')).statusCode === 200, 'a retry returns the existing one')
  const reached = { kind: 'daily-fee-limit' }
  await untilSample(server, 'service_blocker_present', reached, value => value === 1)

  advanceClock(86_400)
  await untilSample(server, 'service_blocker_present', reached, value => value === 0)
  t.equal((await submit(`fee-${count}`)).statusCode, 202, 'the rejected one is accepted on the next day')
})
