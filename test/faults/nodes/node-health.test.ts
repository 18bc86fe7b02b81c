import { startNetwork } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { test } from '../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'
import { startFaultProxy } from '../fault-proxy.ts'

const noResults = (height: unknown) => `could not find results for height #${height}`

/** Functions that return the node's error for the results at a height; undefined if the node has these results. */
const DISCARDED: Record<string, (height: number, newest: number) => string | undefined> = {
  'not stored for a while': (height, newest) => (height <= newest ? noResults(height) : undefined),
  'never stored (CometBFT 0.37)': () => 'node is not persisting abci responses',
  'never stored (CometBFT 0.38)': () => 'node is not persisting finalize block responses'
}
for (const [title, errorAt] of Object.entries(DISCARDED)) {
  test(`the engine stops if its only node has no results for the next block: ${title}`, async t => {
    const devnet = await startNetwork(t, { blockTimeMs: 50, control: true })
    const { url: node, fail } = await startFaultProxy(t, devnet.urls.rpc)
    const first = await startEngine(t, devnet)
    const { directory } = first
    const before = await first.submit('fee-0')
    t.match(await first.engine.settled(before.submissionId, PATIENCE_MS), { status: 'committed' })
    await first.stop()
    devnet.control.produceBlocks(20)
    const newest = devnet.chain.height
    fail('block_results', { kind: 'rpc-error', data: ({ height }) => errorAt(Number(height), newest) })
    devnet.control.produceBlocks(5)
    const lone = await startEngine(t, devnet, { directory, nodes: [node] })
    await until(() => lone.engine.health().blockers.length > 1, 'the engine reports a blocker')
    const reason = /^no node has stored the results of block \d+$/
    t.match(lone.engine.health().blockers[0], { kind: 'history-pruned', reason })
    await t.rejects(lone.submit('fee-1'), { code: 'INTAKE_CLOSED', statusCode: 503 })
    await lone.stop()

    const helped = await startEngine(t, devnet, { directory, nodes: [node, devnet.urls.rpc] })
    await until(() => helped.engine.health().blockers.length === 0, 'the engine has caught up')
    const { submissionId } = await helped.submit('fee-1')
    t.match(await helped.engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
    t.strictSame(helped.engine.health().blockers, [])
  })
}
