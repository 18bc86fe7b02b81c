import { build, startNetwork, untilReady } from '../../helpers/app.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { sample, untilSample } from '../../helpers/metrics.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

/** The limit covers two transactions with one transfer each, but not ten. Submissions do not wait for their blocks. */
const LIMITED = { SERVICE_DAILY_FEE_LIMIT: '10000', SERVICE_SUBMIT_TIMEOUT: '1' }

test('SERVICE_DAILY_FEE_LIMIT stops signing and intake until midnight UTC', async t => {
  // Set the clock to 6:00 on a later day before the start, because the store keeps the clock that it starts with.
  advanceClock(2 * 86_400 - ((Date.now() / 1000 + 64_800) % 86_400))
  const devnet = await startNetwork(t)
  const server = await build(t, LIMITED, { devnet })
  const submit = (feeId: string) =>
    server.inject({
      method: 'POST',
      url: '/submit',
      headers: { 'content-type': 'application/json' },
      payload: submitBody(feeId)
    })
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
  await until(
    async () => (await submit('fee-1')).statusCode === 200,
    'a retry returns the existing submission'
  )
  await until(async () => {
    const { checks } = (await server.inject('/ready')).json()
    return checks.signer.detail === 'daily-fee-limit'
  }, 'the server is not ready')
  const reached = { kind: 'daily-fee-limit' }
  const text = await untilSample(server, 'service_blocker_present', reached, value => value === 1)
  const denom = server.config.feeDenom
  t.equal(sample(text, 'service_daily_fee_limit', { denom }), 10_000)
  await until(async () => {
    const paid = Number(await server.store.feesPaidToday())
    const { body } = await server.inject('/metrics')
    return paid > 1000 && sample(body, 'service_fees_paid_today', { denom }) === paid
  }, 'the metrics report the fees paid in blocks')

  advanceClock(86_400)
  await untilSample(server, 'service_blocker_present', reached, value => value === 0)
  t.equal(
    (await submit(`fee-${count}`)).statusCode,
    202,
    'the rejected submission is accepted on the next day'
  )
})

test('logs a wallet balance below SERVICE_DAILY_FEE_LIMIT and stays ready', async t => {
  const devnet = await startNetwork(t, { control: true })
  const { development } = devnet.addresses
  devnet.control.setBalance(development, 999_999_999_999_999_999_999n)
  const lines: string[] = []
  const low = '1000000000000000000000'
  const server = await build(
    t,
    { SERVICE_DAILY_FEE_LIMIT: low, LOG_LEVEL: 'warn' },
    { devnet, logTo: line => lines.push(line) }
  )
  const text = await untilSample(
    server,
    'service_blocker_present',
    { kind: 'low-balance' },
    value => value === 1
  )
  const denom = server.config.feeDenom
  t.equal(
    sample(text, 'service_wallet_balance', { denom }),
    1e21,
    'rounds to the threshold, so the low-balance check must compare exact amounts'
  )
  const warning = lines.find(line => line.includes('low-balance'))
  t.match(JSON.parse(warning ?? '{}'), {
    reason: `the wallet has 999999999999999999999uSERVICE, less than ${low}`
  })
  await untilReady(server)
})
