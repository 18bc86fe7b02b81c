import { startNetwork } from '../helpers/app.ts'
import { messagesOn } from '../helpers/devnet/chain-messages.ts'
import { lateProvider, listening } from '../helpers/late-compliance.ts'
import { json, serve } from '../helpers/local-server.ts'
import { startPostgres } from '../helpers/postgres/index.ts'
import { test } from '../helpers/tap.ts'
import { transferBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

/** How long a quote of the fee service holds. */
const LIFETIME_MS = 2000

const unknown = { statusCode: 400, code: 'QUOTE_UNKNOWN' }

test('once one server has refused an expired quote, no other server accepts it', async t => {
  const devnet = await startNetwork(t)
  const provider = await lateProvider(t)
  const { createDatabase } = await startPostgres(t)
  const quotes = await serve(t, async (request, response) => {
    const { method, url, headers, body } = request
    const { SERVICE_BACKEND_NODE_PROVIDER_QUERY: chainApi } = devnet.env()
    const contentType = String(headers['content-type'])
    const answer = await fetch(`${chainApi}${url}`, {
      method,
      headers: { 'content-type': contentType },
      body
    })
    json(response, {
      ...Object(await answer.json()),
      expiration: new Date(Date.now() + LIFETIME_MS).toISOString()
    })
  })
  const settings = { DATABASE_URL: await createDatabase(), SERVICE_BACKEND_FEE_URL: quotes.url }
  const one = await listening(t, provider, devnet, settings)
  const other = await listening(t, provider, devnet, settings)
  const body = await transferBody(one.server)
  const first = one.submit(body)
  await provider.asked(1)
  const expired = Date.now() + LIFETIME_MS
  await until(() => Date.now() > expired, 'the quote has expired')
  t.match((await other.submit(body)).body, unknown)
  provider.answer('low')
  t.match((await first).body, unknown)
  t.equal(messagesOn(devnet).transfers.length, 0)
})
