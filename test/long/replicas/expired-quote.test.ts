import { startNetwork } from '../../helpers/app.ts'
import { takeTime } from '../../helpers/clock.ts'
import { lateProvider, listening } from '../../helpers/late-compliance.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { pricedFees } from '../../helpers/priced-fees.ts'
import { test } from '../../helpers/tap.ts'
import { transferBody } from '../../helpers/transfer-flow.ts'

/** How long a quote of the fee service holds. */
const LIFETIME_MS = 3_600_000

const expired = { statusCode: 400, code: 'QUOTE_EXPIRED' }

test('once one server has refused an expired quote, no other server accepts it', async t => {
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
  // The time of the store, which is the database's at the start, passes by the product's clock.
  takeTime(t).elapsed += LIFETIME_MS
  // The product's clock is the store's: what the fee service gives must hold by it.
  fees.prices.lifetimeMs = 3 * LIFETIME_MS
  fees.prices.surcharge = 1n
  t.match((await other.submit(body)).body, expired)
  fees.prices.surcharge = 0n
  provider.answer('low')
  t.match((await first).body, expired)
  t.equal(messagesOn(devnet).transfers.length, 0)
})
