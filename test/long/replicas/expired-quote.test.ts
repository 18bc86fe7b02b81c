import { startNetwork } from '../../helpers/app.ts'
import { takeTime } from '../../helpers/clock.ts'
import { lateProvider, listening } from '../../helpers/late-compliance.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { pricedFees } from '../../helpers/priced-fees.ts'
import { test } from '../../helpers/tap.ts'
import { transferBody } from '../../helpers/transfer-flow.ts'

const LIFETIME_MS = 3_600_000

const expired = { statusCode: 400, code: 'QUOTE_EXPIRED' }

test('no server accepts an expired quote that another server has already rejected', async t => {
  const devnet = await startNetwork(t)
  const provider = await lateProvider(t)
  const { createDatabase } = await startPostgres(t)
  const fees = await pricedFees(t, devnet)
  fees.prices.lifetimeMs = LIFETIME_MS
  const settings = { DATABASE_URL: await createDatabase(), SERVICE_BACKEND_FEE_URL: fees.url }
  const one = await listening(t, provider, devnet, settings)
  const other = await listening(t, provider, devnet, settings)
  const body = await transferBody(one.server)
  const first = one.submit(body)
  await provider.asked(1)
  // Moves the server's clock, and with it the store's time, past the end of the quote.
  takeTime(t).elapsed += LIFETIME_MS
  // Keeps new quotes valid beyond the time to which the clock has moved.
  fees.prices.lifetimeMs = 3 * LIFETIME_MS
  fees.prices.surcharge = 1n
  t.match((await other.submit(body)).body, expired)
  fees.prices.surcharge = 0n
  provider.answer('low')
  t.match((await first).body, expired)
  t.equal(messagesOn(devnet).transfers.length, 0)
})
