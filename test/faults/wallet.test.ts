import { test } from '../helpers/tap.ts'
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
