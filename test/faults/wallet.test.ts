import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

test('a fee that is raised several times, and while transactions are pending', async t => {
  const { control, submitMany, submitApart, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const price of ['0.03', '0.1', '0.006']) {
    control.setMinGasPrice(price)
    await settled(await submitMany(3))
  }
  control.pause()
  await submitApart(3)
  control.setMinGasPrice('0.12')
  control.restart()
  control.resume()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 12 })
})

test('a wallet without funds is reported, and submissions continue once it is refilled', async t => {
  const network = await startFaultyNetwork(t)
  const { control, address, submitMany, assertExactlyOnce } = network
  control.setBalance(address, 0n)
  await submitMany(4)
  await network.untilBlocked('insufficient-funds')
  await control.send({ from: 'other', to: address, amount: 1_000_000_000n })
  t.strictSame(tally(await assertExactlyOnce()), { committed: 4 })
  t.strictSame(network.engine.health().blockers, [])
})

test('a wallet that loses its funds while transactions are pending', async t => {
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

test('a wallet that is taken off the whitelist loses no submission and continues once it is back', async t => {
  const network = await startFaultyNetwork(t)
  const { control, address, submitMany, submit, settled, assertExactlyOnce } = network
  await settled(await submitMany(3))
  control.disallow(address)
  await submitMany(3)
  await network.untilBlocked('wallet-not-whitelisted')
  await t.rejects(submit(), { code: 'WALLET_NOT_WHITELISTED', statusCode: 503 })
  control.allow(address)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6 })
})

test('a whitelist that changes while transactions are pending, so that blocks refuse them', async t => {
  const network = await startFaultyNetwork(t)
  const { control, address, submit, submitApart, assertExactlyOnce } = network
  control.pause()
  await submitApart(3)
  control.disallow(address)
  control.produceBlocks(1)
  control.resume()
  await network.untilBlocked('wallet-not-whitelisted')
  control.allow(address)
  await until(() => network.engine.health().blockers.length === 0, 'the engine is free of blockers')
  await submit()
  t.strictSame(
    tally(await assertExactlyOnce()),
    { committed: 4 },
    'no submission is rejected because of the whitelist'
  )
})

test('another program sends from the same wallet, before and after pending transactions', async t => {
  const { control, submitMany, submitApart, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  for (const atHead of [true, false, true]) {
    const [submissions] = await Promise.all([submitMany(6), control.send({ from: 'development', atHead })])
    await settled(submissions)
  }
  control.pause()
  await submitApart(3)
  await control.send({ from: 'development', atHead: true })
  control.resume()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 21 })
})

test('a node that refuses whatever the wallet signs, for a while', async t => {
  const network = await startFaultyNetwork(t)
  const { control, submitMany, assertExactlyOnce } = network
  // The batch is refused twice, then the wallet's transfer to itself that replaces it.
  control.refuseNext({ count: 4, code: 7, codespace: 'firewall', log: 'not today' })
  await submitMany(1)
  await network.untilBlocked('transactions-refused')
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
  t.strictSame(network.engine.health().blockers, [])
})

test('a node that asks for far too high a fee is not paid', async t => {
  const network = await startFaultyNetwork(t)
  const { control, submitMany, engine, assertExactlyOnce } = network
  control.setMinGasPrice('1000000')
  await submitMany(2)
  await network.untilBlocked('fee-too-high')
  t.match(engine.health().blockers, [{ kind: 'fee-too-high', reason: /required: \d+uSERVICE/ }])
  control.setMinGasPrice('0.025')
  t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
  await until(() => engine.health().blockers.length === 0, 'the wallet is not blocked')
})
