import { build, startNetwork } from '../helpers/app.ts'
import { sample, untilSample } from '../helpers/metrics.ts'
import { test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer-flow.ts'

const SETTLED = 'service_submission_duration_seconds_count'

test('metrics count a submission at each stage from intake to block', async t => {
  const server = await build(t)
  const body = await transferBody(server)
  t.equal((await submit(server, body)).statusCode, 200)
  t.equal((await submit(server, body)).statusCode, 200, 'a retry')
  const other = await transferBody(server)
  t.match((await submit(server, { ...other, amount: '7' })).json(), { code: 'QUOTE_MISMATCH' })
  const text = await untilSample(server, SETTLED, { status: 'committed' }, value => value === 1)
  t.equal(sample(text, 'service_submissions_taken_total', { outcome: 'created' }), 1)
  t.equal(sample(text, 'service_submissions_taken_total', { outcome: 'joined' }), 1)
  t.equal(sample(text, 'service_batch_messages_sum'), 1)
  t.equal(sample(text, 'service_slot_duration_seconds_count'), 1)
  t.equal(sample(text, 'service_quote_checks_total', { result: 'matched' }), 1)
  t.equal(sample(text, 'service_quote_checks_total', { result: 'refused' }), 1)
  t.equal(
    sample(text, 'service_approval_checks_total', { result: 'refused' }),
    1,
    'the invalid approval is only observed'
  )
  t.ok(
    sample(text, 'service_node_request_duration_seconds_count', { request: 'broadcast', result: 'accepted' })
  )
  for (const operation of ['take', 'openSlot', 'applyBlock']) {
    const labels = { operation, result: 'done' }
    t.ok(sample(text, 'service_store_operation_duration_seconds_count', labels), operation)
  }
})

test('metrics report pending submissions while the chain is halted', async t => {
  const devnet = await startNetwork(t, { control: true })
  const server = await build(t, { SERVICE_SUBMIT_TIMEOUT: '1' }, { devnet })
  const bodies = [await transferBody(server), await transferBody(server)]
  devnet.control.pause()
  for (const body of bodies) t.equal((await submit(server, body)).statusCode, 202)
  const waiting = await untilSample(server, 'service_submissions_in_slots', {}, value => value === 2)
  t.equal(sample(waiting, 'service_submissions_unsettled'), 2)
  t.ok(sample(waiting, 'service_slots_open'))
  t.equal(sample(waiting, 'service_leading'), 1)
  await untilSample(server, 'service_submissions_oldest_age_seconds', {}, value => value > 0)

  devnet.control.resume()
  const settled = await untilSample(server, 'service_submissions_unsettled', {}, value => value === 0)
  t.equal(sample(settled, 'service_slots_open'), 0)
  t.equal(sample(settled, 'service_submissions_oldest_age_seconds'), 0)
})

test('the metrics agree with /ready', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const text = await untilSample(server, 'service_ready', {}, value => value === 1)
  for (const check of ['store', 'rpc', 'chainApi', 'signer', 'engine']) {
    t.equal(sample(text, 'service_check_passed', { check }), 1, check)
  }
  t.ok(sample(text, 'service_engine_block_height'))
  t.type(sample(text, 'service_engine_blocks_behind'), 'number')
  t.equal(sample(text, 'service_worker_failing_seconds', { worker: 'follower' }), 0)
  t.equal(sample(text, 'service_node_usable', { use: 'reading' }), 1)
  t.ok(sample(text, 'service_node_block_height'))

  await devnet.close()
  const down = await untilSample(server, 'service_check_passed', { check: 'rpc' }, value => value === 0)
  t.equal(sample(down, 'service_ready'), 0)
  await untilSample(server, 'service_node_usable', { use: 'sending' }, value => value === 0)
  await untilSample(server, 'service_worker_failing_seconds', { worker: 'follower' }, value => value > 0)
})
