import { getAccount } from '../../packages/devnet/chain/auth/accounts.ts'
import { fastClock } from '../helpers/clock.ts'
import { test } from '../helpers/tap.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

test('resends transactions that a node accepted and then lost, cached or not', async t => {
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
  const { submitUntracked, submitMany, settledAgain, assertExactlyOnce } = await startFaultyNetwork(t, {
    network: { maxBlockBytes: 12_000n },
    engine: { clock: fastClock(20) },
    pacedBlocks: true
  })
  const { submissionId } = await submitUntracked('fee-large', long)
  await submitMany(6)
  t.match(await settledAgain(submissionId), {
    status: 'rejected',
    error: { code: 21, codespace: 'sdk', message: /tx size is too big: \d+, max: \d+$/ }
  })
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6 })
})

test('executes pending transactions even if the gas limit falls below their request', async t => {
  const network = await startFaultyNetwork(t)
  const { control, devnet, address, settled, submitMany, submitApart, assertExactlyOnce } = network
  await settled(await submitMany(2))
  control.pause()
  await submitApart(1)
  await submitMany(40)
  control.setMaxBlockGas(600_000n)
  control.resume()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 43 })
  const { sequence } = getAccount(devnet.chain.state, address) ?? {}
  t.ok(Number(sequence) <= 43, `${sequence} transactions, at most one per submission`)
})
