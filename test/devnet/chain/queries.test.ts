import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import {
  createTestChain,
  DENOM,
  FUNDS,
  sendMessage,
  sign,
  type TestChain
} from '../../helpers/devnet/chain.ts'
import { test } from '../../helpers/tap.ts'

const BALANCE = '/cosmos.bank.v1beta1.Query/Balance'

function queryBalance(chain: TestChain, address: string, height: number) {
  const result = chain.query(BALANCE, QueryBalanceRequest.encode({ address, denom: DENOM }).finish(), height)
  return { ...result, amount: QueryBalanceResponse.decode(result.value).balance?.amount }
}

test('the last thousand heights can be queried, older ones cannot', async t => {
  const { chain, alice, bob } = await createTestChain()
  chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, bob.address, 5n)]))
  chain.produceBlock()
  t.match(queryBalance(chain, bob.address, 1), { amount: FUNDS.toString(), height: 1 })
  t.match(queryBalance(chain, bob.address, 2), { amount: (FUNDS + 5n).toString(), height: 2 })
  while (chain.height < 1001) chain.produceBlock()
  t.match(queryBalance(chain, bob.address, 1), { amount: FUNDS.toString() })
  chain.produceBlock()
  t.match(queryBalance(chain, bob.address, 1), {
    code: 18,
    log: 'failed to load state at height 1; version does not exist (latest height: 1002): invalid request'
  })
  t.match(queryBalance(chain, bob.address, 2), { amount: (FUNDS + 5n).toString() })
})
