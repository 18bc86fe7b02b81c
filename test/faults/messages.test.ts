import { getAccount } from '../../packages/devnet/chain/auth/accounts.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

test('keeps submissions while a paused module refuses them, in simulations and in blocks', async t => {
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
  await until(() => engine.health().blockers.length > 0, 'the engine reports a blocker')
  t.match(engine.health().blockers, [{ kind: 'requests-refused', reason: /module is paused/ }])
  await blocks(20)
  pause(0)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 8 })
})

test('executes pending transactions even if the block gas limit falls below the gas that they request', async t => {
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
