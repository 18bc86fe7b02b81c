import { startNetwork, testEnv } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { messagesOn } from '../helpers/oracle/index.ts'
import { patientFetch, patientPost } from '../helpers/patient-fetch.ts'
import { pricedFees } from '../helpers/priced-fees.ts'
import { startServer } from '../helpers/server-process.ts'
import { test } from '../helpers/tap.ts'
import { TRANSFER } from '../helpers/transfer-flow.ts'

const required = { SERVICE_QUOTE_CHECK: 'required' }

/** Builds the body of a transfer with a new quote from a server at a URL. */
async function quotedBody(url: string) {
  const response = await patientFetch(`${url}/submit/fees?${new URLSearchParams(TRANSFER)}`)
  const { feeId, feeTotalBigInt: fee, decimals, transactionValues } = JSON.parse(await response.text())
  const amount = transactionValues.feeFromOrigin.submitAmount
  return { ...TRANSFER, amount, fee, decimals, options: JSON.stringify({ feeId, signature: '0xsigned' }) }
}

for (const [name, { newPlace }] of Object.entries(await durableStores())) {
  test(`${name}: kill -9 loses neither a quote nor the rejection of an expired one`, async t => {
    const network = await startNetwork(t)
    const fees = await pricedFees(t, network)
    const { env } = await newPlace(t)
    const settings = testEnv(t, network, { ...required, ...env, SERVICE_BACKEND_FEE_URL: fees.url })
    const first = await startServer(t, settings)
    fees.prices.lifetimeMs = 1
    const dearer = await quotedBody(first.url)
    fees.prices.lifetimeMs = 600_000
    fees.prices.surcharge = 1n
    const expired = { code: 'QUOTE_EXPIRED' }
    t.match(await (await patientPost(`${first.url}/submit`, dearer)).json(), expired)
    fees.prices.surcharge = 0n
    const bodies = await Promise.all([1, 2, 3].map(() => quotedBody(first.url)))
    await first.stop('SIGKILL')

    const { url } = await startServer(t, settings)
    const post = async (body: object) => (await patientPost(`${url}/submit`, body)).json()
    for (const body of bodies) t.match(await post(body), { txId: Number })
    t.match(await post(dearer), expired)
    t.equal(messagesOn(network).transfers.length, bodies.length)
  })
}
