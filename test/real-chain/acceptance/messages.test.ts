import { specialTargets } from '../../../packages/devnet/modules/transfer/special-addresses.ts'
import type { ChainClient } from '../../../services/chain-client/index.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { startEngineAtNode, tally } from './engine-at-node.ts'

const SIZE = 5
const PLACES = { first: 0, middle: 2, last: SIZE - 1 }

/** Requests that the chain refuses, with their errors. A simulation reports one code for all errors. */
const REFUSALS = {
  'a message that a simulation refuses': {
    targetAddress: specialTargets.failedMessage,
    error: { code: 6, codespace: 'sdk', message: /the target address makes the message fail/ }
  },
  'a message that an event refuses': {
    targetAddress: specialTargets.refusedByEvent,
    error: { code: 400, codespace: 'transaction', message: 'the target address is refused' }
  },
  // The real chain's own target address.
  'a message that only its block refuses': {
    targetAddress: '0x00000000000000000000000000000000000000f9',
    error: { code: 1101, codespace: 'transaction', message: /makes the message fail in a block/ }
  }
}

/** Heights of blocks with results that contradict the next header. */
async function falseResults(chain: ChainClient, newest: number): Promise<number[]> {
  const heights: number[] = []
  for (let height = 1; height < newest; height++) {
    const [block, next] = await Promise.all([chain.block(height), chain.block(height + 1)])
    if (!block || block.resultsHash !== next?.lastResultsHash) heights.push(height)
  }
  return heights
}

testEachBuild('rejects the refused message of a batch and executes the others', async (t, sdk) => {
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
    'each header has the hash of the results'
  )
})
