import type { ServerResponse } from 'node:http'
import fp from 'fastify-plugin'
import { build, startNetwork } from '../../helpers/app.ts'
import { advanceClock, stretchTimers } from '../../helpers/clock.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { submit, TRANSFER, transferBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { pricedFees } from './priced-fees.ts'

const executed = { txId: 1 }
const expired = { statusCode: 400, code: 'QUOTE_EXPIRED' }

type Risk = 'low' | 'high'

/** What happens while the checks run: whether the quote expires, and its new price. */
const CASES: [name: string, verdicts: Risk[], retried: object, expires?: boolean, surcharge?: bigint][] = [
  ['a retry waits for an attempt whose checks are still running', ['low'], executed],
  ['repeats the checks for a retry if the earlier attempt was rejected', ['high', 'low'], executed],
  ['renews a quote once for all attempts if it expires during the checks', ['low'], executed, true],
  ['rejects every attempt if the renewal costs more', ['low'], expired, true, 1n]
]

for (const [name, verdicts, retried, expires, surcharge = 0n] of CASES) {
  test(name, async t => {
    stretchTimers(t)
    const devnet = await startNetwork(t)
    const { prices, url: SERVICE_BACKEND_FEE_URL } = await pricedFees(t, devnet)
    const checks: ServerResponse[] = []
    const { url: COMPLIANCE_URL } = await serve(t, (_request, response) => checks.push(response))
    let arrived = 0
    const hooks = fp(async app => {
      app.addHook('preHandler', async ({ method }) => {
        if (method === 'POST') arrived += 1
      })
    })
    const settings = { SERVICE_QUOTE_CHECK: 'required', COMPLIANCE_URL, SERVICE_BACKEND_FEE_URL }
    const server = await build(t, settings, { devnet, hooks })
    const body = await transferBody(server)
    const post = async () => (await submit(server, body)).json()

    const first = post()
    await until(() => checks.length === 1, 'the first check has started')
    const retry = post()
    await until(() => arrived === 2, 'the retry has arrived')
    prices.surcharge = surcharge
    if (expires) advanceClock(601)
    for (const [index, risk_score] of verdicts.entries()) {
      const check = await until(() => checks[index], 'the check has started')
      const { originAddress, targetAddress } = TRANSFER
      const records = [originAddress, targetAddress].map(address => ({ address, risk_score }))
      json(check, records)
    }
    t.match(await first, verdicts[0] === 'high' ? { code: 'NOT_COMPLIANT' } : retried)
    t.match(await retry, retried)
    t.match(await post(), retried)
    t.equal(checks.length, verdicts.length, 'an accepted submission is not checked again')
    t.equal(messagesOn(devnet).transfers.length, retried === executed ? 1 : 0)
  })
}
