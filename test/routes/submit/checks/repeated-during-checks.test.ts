import { startNetwork } from '../../../helpers/app.ts'
import { advanceClock } from '../../../helpers/clock.ts'
import { lateProvider, listening } from '../../../helpers/late-compliance.ts'
import { messagesOn } from '../../../helpers/oracle/index.ts'
import { pricedFees } from '../../../helpers/priced-fees.ts'
import { type Test, test } from '../../../helpers/tap.ts'
import { transferBody } from '../../../helpers/transfer-flow.ts'

const expired = { statusCode: 400, code: 'QUOTE_EXPIRED' }

/** Submits a body, disconnects and submits the same body again, all before the compliance provider responds. */
async function repeated(t: Test) {
  const devnet = await startNetwork(t)
  const provider = await lateProvider(t)
  const fees = await pricedFees(t, devnet)
  const settings = { SERVICE_BACKEND_FEE_URL: fees.url }
  const { server, came, submit } = await listening(t, provider, devnet, settings)
  const body = await transferBody(server)
  const client = new AbortController()
  const first = t.rejects(submit(body, client.signal), { name: 'AbortError' })
  await provider.asked(1)
  client.abort()
  await first
  const retry = submit(body)
  await came(2)
  return { devnet, fees, provider, server, submit, body, retry }
}

test('a retry joins an attempt whose checks are still running', async t => {
  const { devnet, provider, submit, body, retry } = await repeated(t)
  provider.answer('low')
  const answer = await retry
  t.match(answer, { status: 200, body: { txId: 1 } })
  t.same(await submit(body), answer)
  t.equal(provider.checks, 1, 'an accepted submission is not checked again')
  t.equal(messagesOn(devnet).transfers.length, 1)
})

test('repeats the checks for a retry if the earlier attempt was rejected', async t => {
  const { devnet, provider, retry } = await repeated(t)
  provider.answer('high')
  await provider.asked(2)
  provider.answer('low')
  t.match(await retry, { status: 200, body: { txId: 1 } })
  t.equal(messagesOn(devnet).transfers.length, 1)
})

test('if a quote expires during the checks, a single renewal serves all attempts', async t => {
  const { devnet, provider, retry } = await repeated(t)
  advanceClock(601)
  provider.answer('low')
  t.match(await retry, { status: 200, body: { txId: 1 } })
  t.equal(provider.checks, 1)
  t.equal(messagesOn(devnet).transfers.length, 1)
})

test('rejects every attempt if the quote expires during the checks and its renewal costs more', async t => {
  const { devnet, fees, provider, server, submit, body, retry } = await repeated(t)
  fees.prices.surcharge = 1n
  advanceClock(601)
  provider.answer('low')
  t.match((await retry).body, expired)
  t.match((await submit(body)).body, expired)
  const another = submit(await transferBody(server))
  await provider.asked(2)
  provider.answer('low')
  t.match(await another, { body: { txId: 1 } }, 'only the submission with the new quote was executed')
  t.equal(messagesOn(devnet).transfers.length, 1)
})
