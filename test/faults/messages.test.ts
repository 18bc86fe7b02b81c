import { getAccount } from '../../packages/devnet/modules/auth/accounts.ts'
import { specialTargets } from '../../packages/devnet/modules/transfer/special-addresses.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

const SIZE = 5
const PLACES = { first: 0, middle: 2, last: SIZE - 1 }

test('a message that a simulation refuses, as the first, a middle and the last one of a batch', async t => {
  const { submit, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const [name, place] of Object.entries(PLACES)) {
    const change = { targetAddress: specialTargets.failedMessage }
    const batch = Array.from({ length: SIZE }, (_, index) => submit(index === place ? change : {}))
    const decided = await settled(await Promise.all(batch))
    t.match(decided[place], { status: 'rejected', error: { code: /\d/, message: /\S/ } }, name)
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 3 * (SIZE - 1), rejected: 3 })
})

test('a message that only its block refuses, as the first, a middle and the last one of a batch', async t => {
  const { control, submit, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const [name, place] of Object.entries(PLACES)) {
    const fault = { count: 1000, code: 7, codespace: 'transaction', log: 'refused late' }
    control.failMessages({ ...fault, containing: 'culprit', simulated: false })
    const change = { originSymbol: 'culprit' }
    const batch = Array.from({ length: SIZE }, (_, index) => submit(index === place ? change : {}))
    const decided = await settled(await Promise.all(batch))
    const error = { code: 7, codespace: 'transaction', message: /message index: \d+: refused late/ }
    t.match(decided[place], { status: 'rejected', error }, name)
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 3 * (SIZE - 1), rejected: 3 })
})

test('a request that the chain refuses by an event does not affect the others', async t => {
  const { submit, submitMany, assertExactlyOnce } = await startFaultyNetwork(t)
  const refused = { targetAddress: specialTargets.refusedByEvent }
  await Promise.all([submitMany(2), submit(refused), submitMany(2)])
  t.strictSame(tally(await assertExactlyOnce()), { committed: 4, rejected: 1 })
})

test('a message that a block refuses for a passing cause is executed by a later one', async t => {
  const { control, submitMany, assertExactlyOnce } = await startFaultyNetwork(t)
  control.failMessages({ count: 2, code: 7, codespace: 'transaction', log: 'not now', simulated: false })
  await submitMany(5)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 5 })
})

test('a module that is paused refuses nobody, in simulations and in blocks', async t => {
  const { control, engine, blocks, submitMany, submitApart, settled, assertExactlyOnce } =
    await startFaultyNetwork(t)
  const pause = (count: number) =>
    control.failMessages({
      count,
      containing: 'originChain',
      code: 3,
      codespace: 'transaction',
      log: 'the module is paused',
      simulated: true
    })
  await settled(await submitMany(1))
  control.pause()
  await submitApart(2)
  pause(1_000_000)
  control.resume()
  await submitMany(5)
  await until(() => engine.health().blockers.length > 0, 'the engine notices')
  t.match(engine.health().blockers, [{ kind: 'requests-refused', reason: /module is paused/ }])
  await blocks(20)
  pause(0)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 8 })
})

test('a transaction that runs out of gas names no message, and none is lost', async t => {
  const { control, submitMany, assertExactlyOnce } = await startFaultyNetwork(t)
  const log = 'out of gas in location: WriteFlat; gasWanted: 1, gasUsed: 2: out of gas'
  control.failMessages({ count: 2, code: 11, codespace: 'sdk', log, simulated: false })
  await submitMany(8)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 8 })
})

test('blocks that hold few transactions', async t => {
  const { submitMany, assertExactlyOnce } = await startFaultyNetwork(t, {
    network: { maxBlockGas: 1_500_000n }
  })
  await submitMany(25)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 25 })
})

test('blocks that hold less gas than pending transactions ask for', async t => {
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
  t.ok(Number(sequence) <= 43, `${sequence} transactions, no more than submissions`)
})
