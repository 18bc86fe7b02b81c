import { fastClock } from '../helpers/clock.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

test('resends transactions that a node accepted and then lost, with and without their hashes in the node’s cache', async t => {
  const { control, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const cached of [false, true]) {
    control.dropNext({ count: 2, cached })
    await settled(await submitMany(5))
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 10 })
})

/** Options whose encoding takes 15 kB, about the longest that the interface accepts. */
const long = { originSymbol: 'x'.repeat(15_000) }

test('rejects a single submission that is larger than a block, and executes the others', async t => {
  const { engine, submit, submitMany, assertExactlyOnce } = await startFaultyNetwork(t, {
    network: { maxBlockBytes: 12_000n },
    engine: { clock: fastClock(20) },
    pacedBlocks: true
  })
  const [, large] = await Promise.all([
    submitMany(3),
    submit(long, /^sdk 21: .*tx size is too big/),
    submitMany(3)
  ])
  // Polls the engine from outside, because timeouts inside the engine follow its accelerated clock.
  const decided = await until(async () => {
    const submission = await engine.find(large.submissionId)
    return submission?.status === 'rejected' && submission
  }, 'the oversized submission is rejected')
  t.match(decided.error, { code: 21, codespace: 'sdk', message: /tx size is too big/ })
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6, rejected: 1 })
})
