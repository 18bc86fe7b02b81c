import { createAudit } from '../../../../services/submission/settle/audit.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from '../engine-context.ts'

test('corrects the next sequence only if two nodes agree on it at the cursor’s block and no slot is open', async t => {
  // The store's next sequence is 7.
  for (const {
    sequence = 5,
    nodes = 2,
    slots = [],
    hash = 'B100',
    next = 7,
    differs = true,
    pause = 5000
  } of [
    { next: 5, differs: false, pause: 60_000 },
    { sequence: 7, differs: false, pause: 60_000 },
    { nodes: 1 },
    { hash: 'FORK' },
    { slots: [['a']], next: 8 },
    { sequence: 7, slots: [['a']], next: 8, differs: false, pause: 60_000 }
  ]) {
    const { engine, script, queue, open, kinds, store } = await engineContext(
      nodes === 2 ? { other: {} } : {}
    )
    script.account = height => (height === 100 ? { accountNumber: 1n, sequence, height } : undefined)
    script.block = height => chainBlock(height, { hash })
    for (const ids of slots) {
      await queue(...ids)
      await open(ids)
    }
    engine.blockers.raise('sequence-differs', 'an earlier difference')
    const corrections: string[] = []
    t.equal(await createAudit(engine, () => void corrections.push('corrected'))(), pause)
    t.strictSame(kinds(), differs ? ['sequence-differs'] : [])
    t.equal(corrections.length, next < 7 ? 1 : 0)
    t.equal(engine.walletState().nextSequence, next)
    t.match(await store.walletState(), { nextSequence: next })
  }
})
