import { createInclusionWatch } from '../../../../services/submission/act/inclusion-watch.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

test('raises transactions-ignored if a transaction is missing for three blocks and 7 s', async t => {
  for (const [blocks, ms, isSent, isIgnored] of [
    [3, 7000, true, true],
    [2, 7000, true, false],
    [3, 6999, true, false],
    [3, 7000, false, false]
  ] as const) {
    const { engine, queue, open, time, kinds } = await engineContext()
    const watch = createInclusionWatch(engine)
    await queue('a')
    const { sequence } = await open(['a'])
    const slot = engine.slots.get(sequence)
    if (isSent && slot) slot.timesSent = 1
    watch()
    time.elapsed += ms
    engine.setWalletState({ ...engine.walletState(), cursorHeight: 100 + blocks })
    watch()
    t.strictSame(kinds(), isIgnored ? ['transactions-ignored'] : [], `${blocks} blocks, ${ms} ms`)
    engine.slots.remove(sequence)
    watch()
    t.strictSame(kinds(), [], 'a block has it')
  }
})
