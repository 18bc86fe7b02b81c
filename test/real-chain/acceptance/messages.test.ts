import { specialTargets } from '../../../packages/devnet/modules/transfer/special-addresses.ts'
import type { ChainClient } from '../../../services/chain-client/index.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { startEngineAtNode, tally } from './engine-at-node.ts'

const SIZE = 5
const PLACES = { first: 0, middle: 2, last: SIZE - 1 }

/** Requests that the chain rejects, with their errors. Simulations report the same code for all errors. */
const REFUSALS = {
  'a message that fails in simulations': {
    targetAddress: specialTargets.failedMessage,
    error: { code: 6, codespace: 'sdk', message: /the target address makes the message fail/ }
  },
  'a message rejected by an event': {
    targetAddress: specialTargets.refusedByEvent,
    error: { code: 400, codespace: 'transaction', message: 'the target address is refused' }
  },
  // Only the real chain rejects this target address.
  'a message that fails only in a block': {
    targetAddress: '0x00000000000000000000000000000000000000f9',
    error: { code: 1101, codespace: 'transaction', message: /makes the message fail in a block/ }
  }
}

async function falseResults(chain: ChainClient, newest: number): Promise<number[]> {
  const heights: number[] = []
  for (let height = 1; height < newest; height++) {
    const [block, next] = await Promise.all([chain.block(height), chain.block(height + 1)])
    if (!block || block.resultsHash !== next?.lastResultsHash) heights.push(height)
  }
  return heights
}

testEachBuild('rejects only the failing message of a batch and executes the others', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const { chain: client, submit, settled, assertExactlyOnce } = await startEngineAtNode(t, chain)
  for (const [kind, { targetAddress, error }] of Object.entries(REFUSALS)) {
    for (const [name, place] of Object.entries(PLACES)) {
      const batch = Array.from({ length: SIZE }, (_, index) =>
        submit(index === place ? { targetAddress } : {})
      )
      const decided = await settled(await Promise.all(batch))
      t.match(decided[place], { status: 'rejected', error }, `${kind}, as the ${name}`)
    }
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 9 * (SIZE - 1), rejected: 9 })
  t.strictSame(
    await falseResults(client, await chain.height()),
    [],
    'each header contains the hash of the previous block’s results'
  )
})
