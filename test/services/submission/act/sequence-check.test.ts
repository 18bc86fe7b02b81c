import { createAudit } from '../../../../services/submission/act/sequence-check.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

test('corrects the next sequence only if two nodes agree on it at the cursor’s block and no slot is open', async t => {
  // The store's next sequence is 7. While the nodes respond, the follower may have applied the next block.
  for (const {
    sequence = 5,
    nodes = 2,
    isOpen = false,
    hash = 'B100',
    height = 100,
    leaves = false,
    cursorHeight = 100,
    corrects = false,
    differs = true
  } of [
    { corrects: true, differs: false },
    { cursorHeight: 101 },
    { sequence: 7, differs: false },
    { nodes: 1 },
    { hash: 'FORK' },
    { height: 101 },
    { leaves: true },
    { isOpen: true },
    { sequence: 7, isOpen: true, differs: false }
  ]) {
    const { engine, script, queue, open, kinds, store } = await engineContext(
      nodes === 2 ? { other: {} } : {}
    )
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
    t.equal(await step(), differs ? 5000 : 60_000)
    t.strictSame(kinds(), differs ? ['sequence-differs'] : [])
    t.equal(corrections, corrects ? 1 : 0)
    const next = corrects ? 5 : isOpen ? 8 : 7
    t.equal(engine.walletState().nextSequence, next)
    t.match(await store.walletState(), { nextSequence: next })
  }
})
