import type { BlockTransaction } from '../../../../services/chain-client/index.ts'
import { createAudit } from '../../../../services/submission/act/sequence-check.ts'
import { test } from '../../../helpers/tap.ts'
import { wallet } from '../../../helpers/wallet.ts'
import { blockTransaction, chainBlock, signedBytes } from '../../chain-block.ts'
import { engineContext } from './engine-context.ts'

test('corrects the next sequence only if two nodes agree on it and no slot is open', async t => {
  // The store's next sequence is 7. While the nodes respond, the follower may have applied the next block.
  const usual = { sequence: 5, nodes: 2, isOpen: false, hash: 'B100', height: 100, leaves: false }
  for (const [change, result] of [
    [{}, 'corrected'],
    [{ cursorHeight: 101 }, 'differs'],
    [{ sequence: 7 }, 'same'],
    [{ nodes: 1 }, 'differs'],
    [{ hash: 'FORK' }, 'differs'],
    [{ height: 101 }, 'differs'],
    [{ leaves: true }, 'differs'],
    [{ isOpen: true }, 'differs'],
    [{ sequence: 8, isOpen: true }, 'differs'],
    [{ sequence: 7, isOpen: true }, 'same']
  ] as const) {
    const given = { ...usual, cursorHeight: 100, ...change }
    const { sequence, nodes, isOpen, hash, height, leaves, cursorHeight } = given
    const { engine, script, queue, open, kinds, store } = await engineContext(nodes === 2 ? {} : undefined)
    script.account = asked => {
      engine.setWalletState({ ...engine.walletState(), cursorHeight })
      script.block = height => chainBlock(height, { hash })
      if (leaves) queueMicrotask(() => (script.block = height => chainBlock(height, { hash: 'FORK' })))
      return asked === 100 ? { accountNumber: 1n, sequence, height } : undefined
    }
    if (isOpen) {
      await queue('a')
      await open(['a'])
    }
    engine.blockers.raise('sequence-differs', 'an earlier difference')
    let corrections = 0
    const step = createAudit(engine, () => {
      corrections += 1
    })
    const differs = result === 'differs'
    t.equal(await step(), differs ? 5000 : 60_000)
    t.strictSame(kinds(), differs ? ['sequence-differs'] : [])
    t.equal(engine.slots.consumed, isOpen && sequence > 7 ? sequence : 0, 'lower sequences are consumed')
    t.equal(corrections, result === 'corrected' ? 1 : 0)
    const next = result === 'corrected' ? 5 : isOpen ? 8 : 7
    t.equal(engine.walletState().nextSequence, next)
    t.match(await store.walletState(), { nextSequence: next })
  }
})

const signed = (sequence: number, code = 0) =>
  blockTransaction({ code, bytes: signedBytes(sequence, { key: wallet.publicKey }) })

type Case = [
  title: string,
  sequence: number,
  transactions: BlockTransaction[],
  corrected?: number,
  resultsHash?: string
]

// The store's next sequence is 7, and its last block 100. The wallet's newest transaction is in block 90.
const CASES: Case[] = [
  ['the newest transaction confirms it', 5, [signed(4), signed(3)], 5],
  ['the first transaction confirms it', 1, [signed(0)], 1],
  ['the newest transaction has another one', 5, [signed(6)]],
  ['the newest transaction failed', 5, [signed(4, 5)]],
  ['its results contradict the next header', 5, [signed(4)], 7, 'FALSE'],
  ['there is no transaction', 5, [blockTransaction()]],
  ['a block consumed the next sequence', 8, [signed(7)]]
]

for (const [title, sequence, transactions, corrected = 7, resultsHash = 'NONE'] of CASES) {
  test(`${corrected === sequence ? 'corrects' : 'keeps'} the sequence if the only node reports another: ${title}`, async t => {
    const { engine, script, kinds } = await engineContext()
    script.account = () => ({ accountNumber: 1n, sequence, height: engine.walletState().cursorHeight })
    const newest = { transactions, resultsHash }
    let lowest = 100
    script.block = height => {
      lowest = Math.min(lowest, height)
      return chainBlock(height, height === 90 ? newest : {})
    }
    const step = createAudit(engine, () => {})
    for (let audits = 0; audits < 3; audits++) if ((await step()) === 60_000) break
    if (corrected === sequence) t.equal(lowest, 85, 'asks for few blocks at once')
    const cursorHeight = sequence === 8 ? 89 : 100
    t.match(engine.walletState(), { nextSequence: corrected, cursorHeight })
    t.strictSame(kinds(), corrected === sequence ? [] : ['sequence-differs'])
  })
}
