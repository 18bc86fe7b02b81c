import { test } from '../../helpers/tap.ts'
import { createTestChain, DENOM, FUNDS, sendMessage, sequenceOf, sign } from './test-chain.ts'

const FEE = 2000n

test('a failed ante handler charges no fee and consumes no sequence, so the same bytes can succeed later', async t => {
  const { chain, alice, bob } = await createTestChain()
  const all = sendMessage(alice.address, bob.address, FUNDS - FEE)
  const next = await sign(alice, 1, [sendMessage(alice.address, bob.address, 1n)])
  t.equal(chain.submitTx(await sign(alice, 0, [all])).code, 0)
  t.equal(chain.submitTx(next).code, 0)
  const { txs } = chain.produceBlock()
  t.match(
    txs.map(({ result }) => result),
    [
      { code: 0 },
      {
        code: 5,
        log: `spendable balance  is smaller than 2000${DENOM}: insufficient funds: insufficient funds`,
        events: []
      }
    ]
  )
  t.equal(sequenceOf(chain, alice), 1n)

  chain.submitTx(await sign(bob, 0, [sendMessage(bob.address, alice.address, 10_000n)]))
  chain.produceBlock()
  t.equal(chain.submitTx(next).code, 0)
  t.match(chain.produceBlock().txs, [{ result: { code: 0 } }])
  t.equal(chain.tx(txs[1]?.hash ?? '')?.result.code, 0)
})
