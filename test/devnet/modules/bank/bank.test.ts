import { moduleAddress } from '../../../../packages/devnet/chain/addresses.ts'
import { getAccount } from '../../../../packages/devnet/modules/auth/accounts.ts'
import { getBalance } from '../../../../packages/devnet/modules/bank/balances.ts'
import { createTestChain, DENOM, sendMessage, sign } from '../../../helpers/devnet/chain.ts'
import { test } from '../../../helpers/tap.ts'

test('an address that receives coins for the first time gets the next account number', async t => {
  const { chain, alice } = await createTestChain()
  const newcomer = moduleAddress('newcomer', 'service')
  chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, newcomer, 5n)]))
  chain.produceBlock()
  // After the two wallets and the fee collector.
  t.match(getAccount(chain.state, newcomer), { accountNumber: 3n, sequence: 0n })
  t.equal(getBalance(chain.state, newcomer, DENOM), 5n)
})

test('accounts of modules cannot receive coins by message', async t => {
  const { chain, alice } = await createTestChain()
  const collector = moduleAddress('fee_collector', 'service')
  chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, collector, 5n)]))
  t.match(chain.produceBlock().txs[0]?.result, {
    code: 4,
    log: `failed to execute message; message index: 0: ${collector} is not allowed to receive funds: unauthorized`
  })
})
