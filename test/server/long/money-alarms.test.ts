import { build, startNetwork, testEnv } from '../../helpers/app.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { sample, untilSample } from '../../helpers/metrics.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

function post(url: string, feeId: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return patientFetch(`${url}/submit`, { method: 'POST', headers, body: submitBody(feeId) })
}

/** Two transactions of one transfer cost less, and ten more. What does not fit is not waited for. */
const LIMITED = { SERVICE_DAILY_FEE_LIMIT: '10000', SERVICE_SUBMIT_TIMEOUT: '1' }

/** Submits until a submission is refused, because the one before waits for the next day. */
function untilRefused(url: string): Promise<Response> {
  let count = 0
  return until(async () => {
    count += 1
    const response = await post(url, `fee-${count}`)
    return response.status === 503 && response
  }, 'the limit is reached')
}

test('SERVICE_DAILY_FEE_LIMIT stops signing and intake, over a restart too, and nothing else', async t => {
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, LIMITED)
  const before = await startServer(t, env)
  await before.saw(/"msg":"engine ready"/)
  t.ok((await post(before.url, 'fee-0')).ok, 'nothing is spent yet')
  const refused = await untilRefused(before.url)
  t.match(await refused.json(), { code: 'DAILY_FEE_LIMIT' })
  const seconds = Number(refused.headers.get('retry-after'))
  const midnight = 86_400 - ((Date.now() / 1000) % 86_400)
  t.ok(
    Math.abs(seconds - midnight) < 60 || Math.abs(seconds - midnight) > 86_340,
    `${seconds} until midnight`
  )
  await before.saw(/SERVICE_DAILY_FEE_LIMIT is reached/)
  t.equal((await post(before.url, 'fee-0')).status, 200, 'a retry returns the existing submission')
  const ready = await until(async () => {
    const response = await fetch(`${before.url}/ready`)
    return response.status === 503 && response
  }, 'the server is not ready')
  t.match(await ready.json(), { checks: { signer: { ok: false, detail: 'daily-fee-limit' } } })
  t.equal(await before.stop(), 0)

  const after = await startServer(t, env)
  t.match(await (await untilRefused(after.url)).json(), { code: 'DAILY_FEE_LIMIT' })
  t.equal(await after.stop(), 0)

  const { SERVICE_DAILY_FEE_LIMIT: _limit, SERVICE_SUBMIT_TIMEOUT: _timeout, ...usual } = env
  const { url } = await startServer(t, usual)
  t.equal((await post(url, 'new')).status, 200, 'the limit is far away by default')
})

test('the fees of a day are shown, and are forgotten at midnight UTC', async t => {
  // The store keeps the clock that it finds, so that is replaced before.
  advanceClock(1)
  const devnet = await startNetwork(t)
  const server = await build(t, LIMITED, { devnet })
  const submit = (feeId: string) =>
    server.inject({
      method: 'POST',
      url: '/submit',
      headers: { 'content-type': 'application/json' },
      payload: submitBody(feeId)
    })
  let count = 0
  await until(async () => {
    count += 1
    return (await submit(`fee-${count}`)).statusCode === 503
  }, 'the limit is reached')
  const reached = { kind: 'daily-fee-limit' }
  const text = await untilSample(server, 'service_blocker_present', reached, value => value === 1)
  const denom = server.config.SERVICE_CHAIN_DENOM
  t.equal(sample(text, 'service_daily_fee_limit', { denom }), 10_000)
  await until(async () => {
    const paid = Number(await server.store.feesPaidToday())
    const { body } = await server.inject('/metrics')
    return paid > 1000 && sample(body, 'service_fees_paid_today', { denom }) === paid
  }, 'the fees that blocks have taken are shown')

  advanceClock(86_400)
  await untilSample(server, 'service_blocker_present', reached, value => value === 0)
  t.equal((await submit(`fee-${count}`)).statusCode, 202, 'what was refused is accepted on the next day')
})

test('a wallet below SERVICE_LOW_BALANCE warns, and stays ready', async t => {
  const devnet = await startNetwork(t, { control: true })
  const { development } = devnet.addresses
  devnet.control.setBalance(development, 999_999_999_999_999_999_999n)
  const lines: string[] = []
  const low = '1000000000000000000000'
  const server = await build(
    t,
    { SERVICE_LOW_BALANCE: low, LOG_LEVEL: 'warn' },
    { devnet, logTo: line => lines.push(line) }
  )
  const text = await untilSample(server, 'service_wallet_balance_low', {}, value => value === 1)
  const denom = server.config.SERVICE_CHAIN_DENOM
  t.equal(
    sample(text, 'service_wallet_balance', { denom }),
    1e21,
    'a little less than that, so the comparison is exact'
  )
  t.equal(sample(text, 'service_wallet_low_balance_threshold', { denom }), 1e21)
  const warning = lines.find(line => line.includes('below SERVICE_LOW_BALANCE'))
  t.match(JSON.parse(warning ?? '{}'), { balance: '999999999999999999999', threshold: low })
  t.equal((await server.inject('/ready')).statusCode, 200)
})

test('without SERVICE_LOW_BALANCE the balance is shown, and nothing is low', async t => {
  const devnet = await startNetwork(t, { control: true })
  devnet.control.setBalance(devnet.addresses.development, 5_000_000n)
  const server = await build(t, {}, { devnet })
  const text = await untilSample(server, 'service_wallet_balance', {}, value => value === 5_000_000)
  t.equal(sample(text, 'service_wallet_balance_low'), 0)
  t.equal(sample(text, 'service_wallet_low_balance_threshold'), undefined)
})
