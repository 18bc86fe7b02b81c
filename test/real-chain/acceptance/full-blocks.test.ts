import { rpc } from '../../helpers/devnet/control.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { assertExactlyOnce, readChainOverRpc } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { PATIENCE_MS } from '../../helpers/until.ts'
import { builds } from '../harness/builds.ts'
import { type RealChain, startRealChain } from '../harness/index.ts'

/** A block holds about 90 submissions. */
const MAX_BLOCK_GAS = 3_000_000
const SUBMISSIONS = 600
/** What a block may leave unused: less gas than one submission asks for is hard to use. */
const FULL = 0.95

/** The gas wanted by the transactions of each block that has any, in order. */
async function gasOfBlocks({ urls, height }: RealChain): Promise<number[]> {
  const gas: number[] = []
  const newest = await height()
  for (let block = 1; block <= newest; block += 1) {
    const { result } = await rpc(urls.rpc, 'block_results', { height: String(block) })
    const { txs_results } = result as { txs_results: { gas_wanted: string }[] | null }
    if (txs_results) gas.push(txs_results.reduce((sum, { gas_wanted }) => sum + Number(gas_wanted), 0))
  }
  return gas
}

for (const sdk of builds) {
  test(`SDK ${sdk}: while submissions wait, every block is full of gas`, async t => {
    // Long enough that a busy machine fills a block too.
    const chain = await startRealChain(t, { sdk, blockTimeMs: 1000, maxBlockGas: MAX_BLOCK_GAS })
    const { engine, submit } = await startEngine(t, chain)
    const feeIds = Array.from({ length: SUBMISSIONS }, (_, index) => `fee-${index}`)
    const accepted = await Promise.all(
      feeIds.map(async feeId => {
        const { submissionId } = await submit(feeId)
        return { feeId, submission: await engine.settled(submissionId, PATIENCE_MS) }
      })
    )
    const shares = (await gasOfBlocks(chain)).map(gas => gas / MAX_BLOCK_GAS)
    t.comment(`gas wanted: ${shares.map(share => share.toFixed(3)).join(' ')}`)
    // The first block ends while the first batches are signed, and the last one takes what is left.
    const between = shares.slice(1, -1)
    t.ok(between.length > 2 && between.every(share => share > FULL), `full blocks: ${between}`)
    assertExactlyOnce(t, await readChainOverRpc(chain.urls.rpc, chain.addresses.development), accepted)
  })
}
