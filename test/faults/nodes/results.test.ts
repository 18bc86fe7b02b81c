import { type Rewrite, type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { PATIENT, startFaultyNetwork, tally } from '../faulty-network.ts'

/** Starts a node that changes each transaction result with `change`. */
const inResults =
  (change: (result: RpcResult) => RpcResult): Rewrite =>
  (method, result) => {
    const results = result['txs_results']
    if (method !== 'block_results' || !Array.isArray(results)) return undefined
    return { ...result, txs_results: results.map(change) }
  }

const hasSequence = ({ type }: { type: string }) => type === 'tx'

/** Functions that turn a success into a failure that consumed the sequence, or the reverse. */
const LIES: Record<string, (result: RpcResult) => RpcResult> = {
  'a success as a failure': result =>
    result['code'] !== 0
      ? result
      : {
          ...result,
          code: 5,
          codespace: 'sdk',
          data: null,
          log: 'failed',
          events: (result['events'] as { type: string }[]).filter(hasSequence)
        },
  'a failure as a success': result =>
    result['code'] === 0 ? result : { ...result, code: 0, codespace: '', log: '' },
  'a success as a rejection by an event': result => ({
    ...result,
    data: null,
    log: '',
    events: [{ type: 'error', attributes: [{ key: 'content', value: 'no' }] }]
  })
}

for (const [name, lie] of Object.entries(LIES)) {
  for (const isFirst of [true, false]) {
    test(`settles submissions correctly when ${isFirst ? 'the first' : 'the second'} of two nodes reports ${name}`, async t => {
      const network = await startFaultyNetwork(t, {
        network: { blockTimeMs: 200 },
        engine: PATIENT,
        nodes: async ({ rpc }) => {
          const liar = await startRewritingNode(t, rpc, inResults(lie))
          return isFirst ? [liar, rpc] : [rpc, liar]
        }
      })
      const { control, submit, settled, assertExactlyOnce } = network
      await settled([await submit()])
      control.failMessages({ count: 1, code: 5, codespace: 'sdk', log: 'not now', simulated: false })
      await settled([await submit()])
      t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
    })
  }
}

test('the engine stops while two nodes report different events', async t => {
  let isLying = false
  const network = await startFaultyNetwork(t, {
    engine: PATIENT,
    nodes: async ({ rpc }) => {
      const lie = inResults(result => (result['code'] === 0 ? result : { ...result, events: [] }))
      return [await startRewritingNode(t, rpc, (...call) => (isLying ? lie(...call) : undefined)), rpc]
    }
  })
  const { control, engine, submit, assertExactlyOnce } = network
  isLying = true
  control.failMessages({ count: 1, code: 5, codespace: 'sdk', log: 'not now', simulated: false })
  const { submissionId } = await submit()
  const isStopped = () => engine.health().blockers.some(({ kind }) => kind === 'nodes-disagree')
  await until(isStopped, 'the engine stops')
  await t.rejects(submit(), { code: 'INTAKE_CLOSED', statusCode: 503 })
  t.match(await engine.find(submissionId), { status: 'broadcast' })
  isLying = false
  await until(() => !isStopped(), 'the engine continues')
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
})
