import { createHash } from 'node:crypto'
import type { Block } from '../../../packages/devnet/chain/blocks/block.ts'
import {
  balanceOf,
  createTestChain,
  DENOM,
  FUNDS,
  sendMessage,
  sequenceOf,
  sign
} from '../../helpers/devnet/chain.ts'
import { test } from '../../helpers/tap.ts'

const FEE = 2000n

test('a failed message undoes all messages, but not the fee and the sequence', async t => {
  const { chain, alice, bob } = await createTestChain()
  const send = (amount: bigint) => sendMessage(alice.address, bob.address, amount)
  chain.submitTx(await sign(alice, 0, [send(5n), send(FUNDS), send(7n)]))
  const [tx] = chain.produceBlock().txs
  const left = FUNDS - FEE - 5n
  t.match(tx?.result, {
    code: 5,
    codespace: 'sdk',
    log: `failed to execute message; message index: 1: spendable balance ${left}${DENOM} is smaller than ${FUNDS}${DENOM}: insufficient funds`,
    data: new Uint8Array(),
    gasWanted: 200_000n
  })
  const types = tx?.result.events.map(({ type }) => type)
  t.strictSame(types, ['coin_spent', 'coin_received', 'transfer', 'message', 'tx', 'tx', 'tx'])
  t.equal(balanceOf(chain, alice), FUNDS - FEE)
  t.equal(balanceOf(chain, bob), FUNDS)
  t.equal(sequenceOf(chain, alice), 1n)
})

test('running out of gas in a message fails the transaction without an index', async t => {
  const { chain, alice, bob } = await createTestChain()
  const message = sendMessage(alice.address, bob.address, 1n)
  const fee = { amount: [{ denom: DENOM, amount: '2000' }], gas: '70000' }
  t.equal(chain.submitTx(await sign(alice, 0, [message, message], { fee })).code, 0)
  const [tx] = chain.produceBlock().txs
  t.match(tx?.result, {
    code: 11,
    log: /^out of gas in location: \w+; gasWanted: 70000, gasUsed: \d+: out of gas$/
  })
  t.equal(balanceOf(chain, bob), FUNDS)
  t.equal(sequenceOf(chain, alice), 1n)
})

test('a failed ante handler takes no fee and no sequence, and the same bytes may succeed later', async t => {
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

test('blocks are linked, found by height, and carry the root of their transactions', async t => {
  const { chain, alice, bob } = await createTestChain()
  const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  const hashes: Buffer[] = []
  for (const sequence of [0, 1, 2]) {
    const bytes = await sign(alice, sequence, [sendMessage(alice.address, bob.address, 1n)])
    hashes.push(sha256(bytes))
    chain.submitTx(bytes)
  }
  const appHashBefore = chain.appHash
  const block = chain.produceBlock()
  const [first, second, third] = hashes.map(hash => sha256(Buffer.of(0), hash))
  const left = sha256(Buffer.of(1), first ?? Buffer.of(), second ?? Buffer.of())
  t.equal(
    block.dataHash,
    sha256(Buffer.of(1), left, third ?? Buffer.of())
      .toString('hex')
      .toUpperCase()
  )
  t.equal(chain.block(1)?.dataHash, sha256().toString('hex').toUpperCase())

  t.equal(block.height, 2)
  t.equal(chain.height, 2)
  t.equal(block.lastBlockHash, chain.block(1)?.hash)
  t.equal(block.appHash, appHashBefore)
  t.not(chain.appHash, appHashBefore)
  t.equal(chain.block(3), undefined)
  t.ok(Date.parse(block.time) > Date.parse(chain.block(1)?.time ?? ''))
  t.strictSame(
    block.txs.map(({ hash, height, index }) => ({ hash, height, index })),
    hashes.map((hash, index) => ({ hash: hash.toString('hex').toUpperCase(), height: 2, index }))
  )
})

test('the clock makes blocks from start to stop, can pause and resume, and change its period', async t => {
  const { chain } = await createTestChain({ blockTimeMs: 2 })
  t.teardown(() => chain.stop())
  const blocks = (count: number) =>
    new Promise<Block>(resolve => {
      const unsubscribe = chain.onBlock(block => {
        if (--count > 0) return
        unsubscribe()
        resolve(block)
      })
    })
  chain.start()
  t.equal(chain.height, 1)
  t.equal((await blocks(3)).height, 4)
  chain.onBlock(({ height }) => height === 6 && chain.setBlockTime(1))
  chain.onBlock(({ height }) => height === 8 && chain.pause())
  t.equal((await blocks(4)).height, 8)
  t.equal(chain.produceBlock().height, 9)
  chain.resume()
  t.equal((await blocks(1)).height, 10)
})
