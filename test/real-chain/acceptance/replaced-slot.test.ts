import { fromBase64 } from '@cosmjs/encoding'
import { transactionHash } from '../../../services/chain-client/index.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { operatorTool } from '../../helpers/operator.ts'
import { assertExactlyOnce, readChainOverRpc } from '../../helpers/oracle/index.ts'
import { rpc } from '../../helpers/rpc.ts'
import { PATIENCE_MS } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { SLOW_BLOCKS, startEngineAtNode } from './engine-at-node.ts'
import { startServiceNetwork } from './service-network.ts'

/**
 * Whether the node loses the original transaction before the re-signed one arrives. SDK 0.47 keeps a copy of the
 * original.
 */
const MEMPOOLS = { 'still has the original transaction': false, 'has lost the original transaction': true }

for (const [name, isLost] of Object.entries(MEMPOOLS)) {
  testEachBuild(`executes a re-signed slot exactly once if the node ${name}`, async (t, sdk) => {
    const { chain, network } = await startServiceNetwork(t, { sdk, ...SLOW_BLOCKS })
    const { directory, address, submitApart, stop } = await startEngineAtNode(t, chain)
    const submissions = await submitApart(2)
    await stop()
    const { result } = await rpc(chain.urls.rpc, 'unconfirmed_txs')
    const { txs } = result as { txs: string[] }
    const tool = operatorTool(t, network, { SERVICE_DATA_DIR: directory })
    for (const slot of ['0', '1']) {
      t.match(await tool('bump-fee', slot, '--gas-price', '0.05', '--max-fee', '100000'), { code: 0 })
    }
    if (isLost) await rpc(chain.urls.rpc, 'unsafe_flush_mempool')

    const { engine } = await startEngine(t, chain, { directory })
    const accepted = await Promise.all(
      submissions.map(async ({ submissionId }, index) => ({
        feeId: `fee-${index}`,
        submission: await engine.settled(submissionId, PATIENCE_MS)
      }))
    )
    assertExactlyOnce(t, await readChainOverRpc(chain.urls.rpc, address), accepted)
    const firstHashes = new Set(txs.map(tx => transactionHash(fromBase64(tx))))
    for (const { submission } of accepted) {
      t.equal(submission.status, 'committed')
      if (submission.status !== 'committed') continue
      t.comment(`executed: the ${firstHashes.has(submission.transactionHash) ? 'first' : 'other'} bytes`)
    }
  })
}
