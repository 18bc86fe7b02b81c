import { getAccount } from '../../packages/devnet/chain/auth/accounts.ts'
import { test } from '../helpers/tap.ts'
import { startFaultyNetwork, tally } from './faulty-network.ts'

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
