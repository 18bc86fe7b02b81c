import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { startEngineAtNode, tally } from './engine-at-node.ts'

const SIZE = 5
const PLACES = { first: 0, middle: 2, last: SIZE - 1 }

/** Only the real chain rejects this target address, and only in a block. */
const targetAddress = '0x00000000000000000000000000000000000000f9'
const error = { code: 1101, codespace: 'transaction', message: /makes the message fail in a block/ }

testEachBuild('rejects only the message of a batch that fails in a block', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const { submit, settled, assertExactlyOnce } = await startEngineAtNode(t, chain)
  for (const [name, place] of Object.entries(PLACES)) {
    const batch = Array.from({ length: SIZE }, (_, index) => submit(index === place ? { targetAddress } : {}))
    const decided = await settled(await Promise.all(batch))
    t.match(decided[place], { status: 'rejected', error }, `as the ${name}`)
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 3 * (SIZE - 1), rejected: 3 })
})
