import type { ServerResponse } from 'node:http'
import fp from 'fastify-plugin'
import { build, startNetwork } from '../../helpers/app.ts'
import { advanceClock, stretchTimers } from '../../helpers/clock.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { pricedFees } from '../../helpers/priced-fees.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { TRANSFER, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'

const executed = { status: 200, body: { txId: 1 } }
const expired = { body: { statusCode: 400, code: 'QUOTE_EXPIRED' } }

type Risk = 'low' | 'high'

/** What happens while the checks run: whether the quote expires, and its new price. */
const CASES: [name: string, verdicts: Risk[], retried: object, expires?: boolean, surcharge?: bigint][] = [
  ['a retry waits for an attempt whose checks are still running', ['low'], executed],
  ['repeats the checks for a retry if the earlier attempt was rejected', ['high', 'low'], executed],
  ['renews a quote once for all attempts if it expires during the checks', ['low'], executed, true],
  ['rejects every attempt if the renewal costs more', ['low'], expired, true, 1n]
]

/** Starts a server whose compliance provider responds, without a timeout, only when the test tells it to. */
async function site(t: Test) {
  stretchTimers(t)
  const devnet = await startNetwork(t)
  const { prices, url: SERVICE_BACKEND_FEE_URL } = await pricedFees(t, devnet)
  const waiting: ServerResponse[] = []
  const { url: COMPLIANCE_URL, seen } = await serve(t, (_request, response) => waiting.push(response))
  let arrived = 0
  const hooks = fp(async app => {
    app.addHook('preHandler', async ({ method }) => {
      if (method === 'POST') arrived += 1
    })
  })
  const settings = { SERVICE_QUOTE_CHECK: 'required', COMPLIANCE_URL, SERVICE_BACKEND_FEE_URL }
  const server = await build(t, settings, { devnet, hooks })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const body = await transferBody(server)
  return {
    devnet,
    prices,
    checks: seen,
    arrived: (count: number) => until(() => arrived >= count, `${count} submissions have arrived`),
    asked: (count: number) => until(() => seen.length >= count, `${count} checks have started`),
    answer(risk_score: Risk): void {
      const response = waiting.shift()
      if (response === undefined) throw new Error('no check is pending')
      const addresses = [TRANSFER.originAddress, TRANSFER.targetAddress]
      const scores = addresses.map(address => ({ address, risk_score }))
      json(response, scores)
    },
    async submit(signal: AbortSignal | null = null) {
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal }
      const response = await patientFetch(`${url}/submit`, request)
      return { status: response.status, body: await response.json() }
    }
  }
}

for (const [name, verdicts, retried, expires, surcharge = 0n] of CASES) {
  test(name, async t => {
    const { devnet, prices, checks, arrived, asked, answer, submit } = await site(t)
    const client = new AbortController()
    const first = t.rejects(submit(client.signal), { name: 'AbortError' })
    await asked(1)
    client.abort()
    await first
    const retry = submit()
    await arrived(2)
    prices.surcharge = surcharge
    if (expires) advanceClock(601)
    for (const [index, verdict] of verdicts.entries()) {
      await asked(index + 1)
      answer(verdict)
    }
    t.match(await retry, retried)
    t.match(await submit(), retried)
    t.equal(checks.length, verdicts.length, 'an accepted submission is not checked again')
    t.equal(messagesOn(devnet).transfers.length, retried === executed ? 1 : 0)
  })
}
