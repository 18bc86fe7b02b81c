import { startNetwork } from '../../helpers/app.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { lateProvider, listening } from '../../helpers/late-compliance.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { pricedFees } from '../../helpers/priced-fees.ts'
import { test } from '../../helpers/tap.ts'
import { transferBody } from '../../helpers/transfer-flow.ts'

const executed = { status: 200, body: { txId: 1 } }
const expired = { body: { statusCode: 400, code: 'QUOTE_EXPIRED' } }

/** What happens while the checks run: whether the quote expires, and its new price. */
const CASES: [
  name: string,
  verdicts: ('low' | 'high')[],
  retried: object,
  expires?: boolean,
  surcharge?: bigint
][] = [
  ['a retry waits for an attempt whose checks are still running', ['low'], executed],
  ['repeats the checks for a retry if the earlier attempt was rejected', ['high', 'low'], executed],
  ['renews a quote once for all attempts if it expires during the checks', ['low'], executed, true],
  ['rejects every attempt if the renewal costs more', ['low'], expired, true, 1n]
]

for (const [name, verdicts, retried, expires, surcharge = 0n] of CASES) {
  test(name, async t => {
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
    fees.prices.surcharge = surcharge
    if (expires) advanceClock(601)
    for (const [index, verdict] of verdicts.entries()) {
      await provider.asked(index + 1)
      provider.answer(verdict)
    }
    const answer = await retry
    t.match(answer, retried)
    t.match(await submit(body), retried)
    t.equal(provider.checks, verdicts.length, 'an accepted submission is not checked again')
    t.equal(messagesOn(devnet).transfers.length, retried === executed ? 1 : 0)
  })
}
