import { systemClock } from '../../services/clock.ts'
import { startRetention } from '../../services/submission/retention.ts'
import { startNetwork } from '../helpers/app.ts'
import { durableStores, type StorePlace } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { type Accepted, assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { type Test, test } from '../helpers/tap.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

const DAY_MS = 86_400_000

/**
 * Submits a transfer for each feeId and waits until all are settled. The clock of the engine and of retention is `days`
 * days ahead.
 */
async function runAhead(
  t: Test,
  devnet: Awaited<ReturnType<typeof startNetwork>>,
  { place, days, feeIds }: { place: StorePlace; days: number; feeIds: readonly string[] }
): Promise<{ address: string; accepted: Accepted[] }> {
  const now = () => Date.now() + days * DAY_MS
  const clock = { ...systemClock, now }
  const { engine, store, submit, stop, address } = await startEngine(t, devnet, {
    open: owner => place.open(owner, now),
    clock
  })
  const retention = startRetention({ store, days: 90, log: keepingLog().log, clock })
  const accepted: Accepted[] = []
  for (const feeId of feeIds) {
    const { submissionId } = await submit(feeId)
    accepted.push({ feeId, submission: await engine.settled(submissionId, PATIENCE_MS) })
    while ((await store.forget(90 * DAY_MS, 500)) > 0);
  }
  await retention.stop()
  await stop()
  return { address, accepted }
}

for (const [name, kind] of Object.entries(await durableStores())) {
  for (const days of [100, -100]) {
    test(`${name}: recognizes a retry even if the clock is wrong by ${days} days`, async t => {
      const devnet = await startNetwork(t)
      const place = await kind.newPlace(t)
      const before = await runAhead(t, devnet, { place, days: 0, feeIds: ['before'] })
      const wrong = await runAhead(t, devnet, { place, days, feeIds: ['wrong', 'before'] })
      const after = await runAhead(t, devnet, { place, days: 0, feeIds: ['after', 'wrong', 'before'] })
      const ids = ({ accepted }: typeof before) => accepted.map(({ submission }) => submission.submissionId)
      t.equal(ids(wrong)[1], ids(before)[0], 'the retry returns the existing submission')
      t.strictSame(ids(after).slice(1), ids(wrong))
      const accepted = new Map([...before.accepted, ...after.accepted].map(one => [one.feeId, one]))
      assertExactlyOnce(t, readChain(devnet, after.address), [...accepted.values()])
    })
  }
}
