import { build, startNetwork } from '../helpers/app.ts'
import { sample, untilSample } from '../helpers/metrics.ts'
import { test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer-flow.ts'

const SETTLED = 'service_submission_duration_seconds_count'

test('metrics count a submission at each stage from intake to block, and what it costs', async t => {
  const started = Date.now()
  const server = await build(t, { SERVICE_DAILY_FEE_LIMIT: '10000000' })
  const body = await transferBody(server)
  t.equal((await submit(server, body)).statusCode, 200)
  t.equal((await submit(server, body)).statusCode, 200, 'a retry')
  const text = await untilSample(server, SETTLED, { status: 'committed' }, value => value === 1)
  t.equal(sample(text, 'service_submissions_taken_total', { outcome: 'created' }), 1)
  t.equal(sample(text, 'service_submissions_taken_total', { outcome: 'joined' }), 1)
  const seconds = sample(text, 'service_submission_duration_seconds_sum', { status: 'committed' })
  t.ok(seconds !== undefined && seconds <= (Date.now() - started) / 1000)
  t.equal(sample(text, 'service_foreign_transactions_total'), 0)
  const denom = 'uSERVICE'
  await untilSample(server, 'service_fees_paid_today', { denom }, value => value > 0)
  t.ok(sample(text, 'service_wallet_balance', { denom }))
  t.equal(sample(text, 'service_daily_fee_limit', { denom }), 10_000_000)
  await untilSample(server, 'service_submissions_verified', { outcome: 'proven' }, value => value === 1)
  const sent = { request: 'broadcast', result: 'accepted' }
  t.ok(sample(text, 'service_node_request_duration_seconds_count', sent))
})

test('metrics report pending submissions while the chain is halted', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, { SERVICE_SUBMIT_TIMEOUT: '1' }, { devnet })
  const bodies = [await transferBody(server), await transferBody(server)]
  devnet.control.pause()
  for (const body of bodies) t.equal((await submit(server, body)).statusCode, 202)
  const waiting = await untilSample(server, 'service_submissions_unsettled', {}, value => value === 2)
  t.equal(sample(waiting, 'service_leading'), 1)
  await untilSample(server, 'service_submissions_oldest_age_seconds', {}, value => value > 0)

  devnet.control.resume()
  const settled = await untilSample(server, 'service_submissions_unsettled', {}, value => value === 0)
  t.equal(sample(settled, 'service_submissions_oldest_age_seconds'), 0)
})
