import { startEngine } from '../../helpers/engine-at.ts'
import { assertExactlyOnce, readChainOverRpc } from '../../helpers/oracle/index.ts'
import { rpc } from '../../helpers/rpc.ts'
import type { Test } from '../../helpers/tap.ts'
import { PATIENCE_MS } from '../../helpers/until.ts'
import type { Sdk } from '../binary.ts'
import { testEachBuild } from '../harness/builds.ts'
import { type RealChain, startRealChain } from '../harness/index.ts'

/** Enough gas for about 90 submissions per block. */
const MAX_BLOCK_GAS = 3_000_000
const SUBMISSIONS = 600
/** Block times to try, in milliseconds, ascending: a slow machine needs more time to fill a block. */
const BLOCK_TIMES = [1000, 4000, 16_000]
/** Minimum fraction of a block's gas in use. The remaining gas can be too little for one more submission. */
const FULL = 0.95

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

/** @returns the share of the gas limit that each block uses, except the first and last block */
async function sharesOfBlocks(t: Test, sdk: Sdk, blockTimeMs: number): Promise<number[]> {
  const chain = await startRealChain(t, { sdk, blockTimeMs, maxBlockGas: MAX_BLOCK_GAS })
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
  assertExactlyOnce(t, await readChainOverRpc(chain.urls.rpc, chain.addresses.development), accepted)
  // The first block ends while the first batches are being signed, and the last contains the rest.
  return shares.slice(1, -1)
}

const areFull = (shares: number[]) => shares.length > 2 && shares.every(share => share > FULL)

testEachBuild('uses nearly all gas of every block while submissions are queued', async (t, sdk) => {
  let shares: number[] = []
  for (const blockTimeMs of BLOCK_TIMES) {
    shares = await sharesOfBlocks(t, sdk, blockTimeMs)
    if (areFull(shares)) break
  }
  t.ok(areFull(shares), `full blocks: ${shares}`)
})
