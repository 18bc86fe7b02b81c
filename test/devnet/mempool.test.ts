import { test } from '../helpers/tap.ts'
import { createTestChain, DENOM, FUNDS, sendMessage, sequenceOf, sign } from './test-chain.ts'

function fee(gas: number, amount = 300_000) {
  return { amount: [{ denom: DENOM, amount: amount.toString() }], gas: gas.toString() }
}

test('blocks include transactions in order, up to the first transaction that exceeds the gas limit', async t => {
  const { chain, alice, bob } = await createTestChain({ maxBlockGas: 1_000_000n })
  for (const [sequence, gas] of [400_000, 500_000, 200_000, 100_000].entries()) {
    const message = sendMessage(alice.address, bob.address, BigInt(sequence + 1))
    t.equal(chain.submitTx(await sign(alice, sequence, [message], { fee: fee(gas) })).code, 0)
  }
  const waiting = chain.mempool.list(10)
  t.strictSame(
    chain.produceBlock().txs.map(({ bytes }) => bytes),
    waiting.slice(0, 2)
  )
  t.strictSame(chain.mempool.list(10), waiting.slice(2))
  t.strictSame(
    chain.produceBlock().txs.map(({ bytes }) => bytes),
    waiting.slice(2)
  )
})

test('blocks stay within their size limit', async t => {
  const { alice, bob } = await createTestChain()
  const message = sendMessage(alice.address, bob.address, 1n)
  const txs = await Promise.all([0, 1, 2].map(sequence => sign(alice, sequence, [message])))
  const size = txs[0]?.length ?? 0
  const { chain } = await createTestChain({ maxBlockBytes: BigInt(840 + 2 * (size + 3) + 10) })
  for (const bytes of txs) t.equal(chain.submitTx(bytes).code, 0)
  t.equal(chain.produceBlock().txs.length, 2)
  t.equal(chain.produceBlock().txs.length, 1)
})

test('rechecks the mempool after each block and evicts transactions that follow a missing sequence', async t => {
  const { chain, alice, bob } = await createTestChain({ maxBlockGas: 300_000n })
  const send = (sequence: number, amount: bigint) =>
    sign(alice, sequence, [sendMessage(alice.address, bob.address, amount)], { fee: fee(200_000, 2000) })
  // The first transaction leaves too little for the second transaction's fee, so the third transaction follows a
  // missing sequence.
  const followers = [await send(1, 1n), await send(2, 1n)]
  chain.submitTx(await send(0, FUNDS - 3000n))
  for (const bytes of followers) t.equal(chain.submitTx(bytes).code, 0)
  const other = await sign(bob, 0, [sendMessage(bob.address, alice.address, 1n)])
  t.equal(chain.submitTx(other).code, 0)

  t.equal(chain.produceBlock().txs.length, 1)
  t.strictSame(chain.mempool.list(10), [other])
  const [second = new Uint8Array(), third = new Uint8Array()] = followers
  t.match(chain.submitTx(third), { code: 5 })
  t.match(chain.submitTx(second), { code: 5 })
  t.equal(chain.produceBlock().txs.length, 1)
})

test('a failed ante handler charges no fee and consumes no sequence, so the same bytes can succeed later', async t => {
  const { chain, alice, bob } = await createTestChain()
  const all = sendMessage(alice.address, bob.address, FUNDS - 2000n)
  const next = await sign(alice, 1, [sendMessage(alice.address, bob.address, 1n)])
  t.equal(chain.submitTx(await sign(alice, 0, [all])).code, 0)
  t.equal(chain.submitTx(next).code, 0)
  t.match(chain.produceBlock().txs, [{ result: { code: 0 } }, { result: { code: 5, events: [] } }])
  t.equal(sequenceOf(chain, alice), 1n)

  chain.submitTx(await sign(bob, 0, [sendMessage(bob.address, alice.address, 10_000n)]))
  chain.produceBlock()
  t.equal(chain.submitTx(next).code, 0)
  t.match(chain.produceBlock().txs, [{ result: { code: 0 } }])
})
