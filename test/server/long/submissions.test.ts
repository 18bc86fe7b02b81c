import { send } from '../../faults/transfers.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import type { Told } from '../../helpers/oracle/index.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { OTHER } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

/** Returns a request's feeId. One request in ten is a swap, and one a transfer that the chain rejects by an event. */
function feeIdOf(index: number): string {
  if (index % 10 === 3) return `${OTHER.refusedByEvent}${index}`
  return `${index % 10 === 7 ? OTHER.swap : 'fee-'}${index}`
}

for (const sdk of ['0.47', '0.50'] as const) {
  test(`SDK ${sdk}: 200 concurrent submissions get the chain’s results`, async t => {
    const devnet = await startNetwork(t, { sdk })
    const server = await startServer(t, testEnv(t, devnet))
    await until(async () => (await fetch(`${server.url}/ready`)).ok, 'the server is ready')
    devnet.chain.pause()
    const feeIds = Array.from({ length: 200 }, (_, index) => feeIdOf(index))
    const responses: Promise<Told>[] = []
    const accepted = () => server.output.match(/"msg":"submission accepted"/g)?.length
    // Send ten at a time: on a slow machine, submissions that cannot start within two seconds are rejected. The chain
    // is paused, so that no submission settles before the last one is accepted.
    while (responses.length < feeIds.length) {
      const next = feeIds.slice(responses.length, responses.length + 10)
      responses.push(...next.map(feeId => send(server.url, feeId)))
      await until(() => accepted() === responses.length, `${responses.length} submissions are accepted`)
    }
    devnet.chain.resume()
    const told = await Promise.all(responses)
    const count = (wanted: Told['status']) => told.filter(({ status }) => status === wanted).length
    t.strictSame([count('committed'), count('rejected')], [180, 20])
    const { largest, refused } = await assertAnswersHold(
      t,
      devnet,
      server.url,
      new Map(feeIds.map((feeId, index) => [feeId, told.slice(index, index + 1)]))
    )
    t.ok(largest > 1, `${largest} messages in one transaction`)
    t.equal(refused, 20, 'submissions rejected by events')
  })
}
