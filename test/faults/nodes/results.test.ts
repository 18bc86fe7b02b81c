import { keepingLog } from '../../helpers/keeping-log.ts'
import { inResults, type Rewrite, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { PATIENT, startFaultyNetwork } from '../faulty-network.ts'

type Change = Parameters<typeof inResults>[0]

const onSuccess =
  (change: object): Change =>
  result =>
    result['code'] === 0 ? { ...result, data: null, ...change } : result

const onFailure =
  (change: object): Change =>
  result =>
    result['code'] === 0 ? result : { ...result, ...change }

const refusing = [{ type: 'error', attributes: [{ key: 'content', value: 'no' }] }]

/** What a node reports falsely. The first lie also hides that a sequence was consumed. */
const LIES: Record<string, Change> = {
  'a success as a failure': onSuccess({ code: 5, codespace: 'sdk', log: 'no', events: [] }),
  'a failure as a success': onFailure({ code: 0, codespace: '', log: '' }),
  'a success as a rejection by an event': onSuccess({ log: '', events: refusing })
}

const FAILS_ONCE = { count: 1, code: 5, codespace: 'sdk', log: 'not now' }

for (const [name, lie] of Object.entries(LIES)) {
  for (const restarts of [false, true]) {
    for (const isAlone of [false, true]) {
      const title = `${isAlone ? 'the only node' : 'a node'} reports ${name}`
      test(`settles everything after ${title}${restarts ? ', with a restart' : ''}`, async t => {
        let isLying = false
        /** The first block with a false result. */
        let liedAt: number | undefined
        const { log, entries } = keepingLog()
        const change = inResults((result, height) => {
          const changed = lie(result, height)
          if (changed !== result) liedAt ??= Number(height)
          return changed
        })
        const rewrite: Rewrite = (...call) => (isLying ? change(...call) : undefined)
        const network = await startFaultyNetwork(t, {
          network: { blockTimeMs: 200 },
          engine: { ...PATIENT, log },
          nodes: async ({ rpc, proxy }) => {
            const liar = await startRewritingNode(t, rpc, rewrite)
            return isAlone ? [liar] : [liar, proxy]
          }
        })
        const { control, proxy, engine, submit, restart, assertExactlyOnce, untilBlocked } = network
        control.failMessages(FAILS_ONCE)
        proxy.fail('*')
        isLying = true
        await submit()
        await submit()
        const lied = await until(() => liedAt, 'the node has lied')
        await untilBlocked('nodes-disagree')
        // The next header contradicts a result before or after it was applied.
        const isApplied = Number(engine.health().height) >= lied
        isLying = false
        proxy.heal()
        if (restarts) await restart()
        // Until then, clients still get the false result.
        const isCorrected = () => entries.some(({ message }) => message.startsWith('stepped back'))
        if (isApplied) await until(isCorrected, 'the results are corrected')
        t.strictSame(await assertExactlyOnce(), { committed: 2 })
        await until(() => engine.health().blockers.length === 0, 'no blocker is left')
      })
    }
  }
}

/** A failure without its event, which reports that it consumed its sequence. */
const withoutEvents = inResults(onFailure({ events: [] }))

test('the engine stops while two nodes report different events', async t => {
  let isLying = true
  const rewrite: Rewrite = (...call) => (isLying ? withoutEvents(...call) : undefined)
  const network = await startFaultyNetwork(t, {
    engine: PATIENT,
    nodes: async ({ rpc }) => [await startRewritingNode(t, rpc, rewrite), rpc]
  })
  const { control, engine, submit, untilBlocked, assertExactlyOnce } = network
  control.failMessages(FAILS_ONCE)
  const { submissionId } = await submit()
  await untilBlocked('nodes-disagree')
  await t.rejects(submit(), { code: 'INTAKE_CLOSED', statusCode: 503 })
  t.match(await engine.find(submissionId), { status: 'broadcast' })
  isLying = false
  t.strictSame(await assertExactlyOnce(), { committed: 1 })
})
