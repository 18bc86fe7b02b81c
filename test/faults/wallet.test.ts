import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

test('executes pending transactions after a wallet without funds is refilled', async t => {
  const network = await startFaultyNetwork(t)
  const { control, address, submitApart, assertExactlyOnce } = network
  control.pause()
  await submitApart(3)
  control.setBalance(address, 1n)
  control.resume()
  await network.untilBlocked('insufficient-funds')
  await control.send({ from: 'other', to: address, amount: 1_000_000_000n })
  t.strictSame(tally(await assertExactlyOnce()), { committed: 3 })
})

test('executes submissions after a node stops refusing every transaction', async t => {
  const network = await startFaultyNetwork(t)
  const { control, submitMany, assertExactlyOnce } = network
  const refuse = (count: number) =>
    control.refuseNext({ count, code: 7, codespace: 'firewall', log: 'not today' })
  refuse(1_000_000)
  await submitMany(1)
  await network.untilBlocked('transactions-refused')
  refuse(0)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
  t.strictSame(network.engine.health().blockers, [])
})

test('sends nothing while a node requires too high a fee', async t => {
  const network = await startFaultyNetwork(t)
  const { control, submitMany, engine, assertExactlyOnce } = network
  control.setMinGasPrice('1000000')
  await submitMany(2)
  await network.untilBlocked('fee-too-high')
  t.match(engine.health().blockers, [{ kind: 'fee-too-high', reason: /required: \d+uSERVICE/ }])
  control.setMinGasPrice('0.025')
  t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
  await until(() => engine.health().blockers.length === 0, 'the engine has no blockers')
})
