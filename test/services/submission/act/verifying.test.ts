import { createVerifier } from '../../../../services/submission/act/verifying.ts'
import type { Verification } from '../../../../services/submission/contract.ts'
import { startNetwork } from '../../../helpers/app.ts'
import { fastClock } from '../../../helpers/clock.ts'
import { eachStore, type StorePlace } from '../../../helpers/durable-stores.ts'
import { startEngine } from '../../../helpers/engine-at.ts'
import { keepingLog } from '../../../helpers/keeping-log.ts'
import { inResults, startRewritingNode } from '../../../helpers/rewriting-node.ts'
import { type Test, test } from '../../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../../helpers/until.ts'
import { engineContext } from './engine-context.ts'

type Devnet = Awaited<ReturnType<typeof startNetwork>>
type Options = Parameters<typeof startEngine>[2]
const DIFFERS = 'the store differs from the chain'

async function startVerifying(t: Test, devnet: Devnet, options: Options) {
  const { log, entries } = keepingLog()
  const running = await startEngine(t, devnet, { ...options, log, clock: fastClock(100) })
  const { engine, submit } = running
  const verification = () => engine.health().verification
  const untilVerified = (is: (state: Verification) => boolean, what: string) =>
    until(() => {
      const state = verification()
      return state && is(state) && state
    }, what)
  return {
    ...running,
    kinds: () => engine.health().blockers.map(({ kind }) => kind),
    logged: (message: string) => entries.filter(entry => entry.message === message),
    verification,
    untilVerified,
    /** New blocks are further apart than two saves of the position. */
    untilStored() {
      const { height } = devnet.chain
      return untilVerified(state => state.height > height + 1, 'the position is stored')
    },
    async settle(feeId: string) {
      const { submissionId } = await submit(feeId)
      const settled = await engine.settled(submissionId, 100 * PATIENCE_MS)
      if (settled.status !== 'committed') throw new Error(`${feeId} is ${settled.status}`)
      return settled
    }
  }
}

/** Makes the next leader compare all blocks again. */
const compareAgain = (place: StorePlace) =>
  place.execute(
    `UPDATE wallet_state SET verification = replace(verification, '{"height":', '{"height":0,"was":')`
  )

await eachStore('verifies settled submissions, from where the last leader stopped', async (t, place) => {
  const devnet = await startNetwork(t, { blockTimeMs: 200 })
  const first = await startVerifying(t, devnet, { open: place.open })
  const [a, b] = [await first.settle('a'), await first.settle('b')]
  const { height } = await first.untilVerified(({ proven }) => proven === 2, 'both are proven')
  t.ok(height >= b.height)
  t.strictSame(first.kinds(), [])
  await first.stop()

  const second = await startVerifying(t, devnet, { open: place.open })
  const later = await second.untilVerified(state => state.height > height + 2, 'later blocks are compared')
  t.match(later, { proven: 2, differing: [] }, 'no block is compared twice')
  await second.stop()

  const change = async (id: string, columns: string) =>
    place.execute(`UPDATE submission SET ${columns} WHERE submission_id = '${id}'`)
  await change(a.submissionId, 'tx_id = tx_id + 70')
  await change(b.submissionId, `status = 'rejected', error = '{"code":1,"codespace":"x","message":"y"}'`)
  await compareAgain(place)
  const third = await startVerifying(t, devnet, { open: place.open })
  await third.untilVerified(state => state.height > b.height + 1, 'all blocks are compared')
  const found = await third.untilStored()
  const texts = third.logged(DIFFERS).flatMap(({ fields }) => Reflect.get(fields, 'differences'))
  t.match(texts, [a.submissionId, b.submissionId])
  t.equal(found.proven, 2, 'neither counts as proven again')
  t.equal(found.differing.length, 2)
  t.strictSame(third.kinds().toSorted(), ['executions-differ', 'results-differ'])
  await t.rejects(third.submit('f'), { code: 'INTAKE_CLOSED' })
  await third.stop()

  await change(a.submissionId, `tx_id = ${a.txId}`)
  await change(b.submissionId, "status = 'committed', error = NULL")
  const fourth = await startVerifying(t, devnet, { open: place.open })
  const repaired = await fourth.untilVerified(
    ({ differing }) => differing.length === 0,
    'all are proven again'
  )
  t.equal(repaired.proven, 4)
  t.strictSame(fourth.kinds(), [])
  const cleared = fourth.logged('blocker cleared').map(({ fields }) => Reflect.get(fields, 'blocker'))
  t.ok(cleared.includes('results-differ'), 'a restart forgets no difference')
  t.notOk(cleared.includes('executions-differ'), 'but opens intake again')
  await fourth.untilStored()
  await fourth.stop()

  await compareAgain(place)
  devnet.control.prune(b.height + 1)
  const fifth = await startVerifying(t, devnet, { open: place.open })
  await fifth.untilVerified(({ pruned }) => pruned === b.height, 'pruned blocks are skipped')
  t.strictSame(fifth.kinds(), [])
  t.match(fifth.logged('no node has these blocks any more: they are not compared'), [
    { level: 'warn', fields: { from: 1, to: b.height } }
  ])
  t.ok(await fifth.settle('g'), 'submissions are still executed')
  await fifth.untilVerified(({ proven }) => proven === repaired.proven + 1, 'and proven')
})

const withoutEvents = inResults(result => ({ ...result, log: '', events: [] }))

test('a lasting lie of a node raises a blocker, unless another node contradicts it', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 200 })
  const readings = new Map<string, number>()
  /** The first reading is the one that settles the submissions. */
  let lies = 3
  const liar = await startRewritingNode(t, devnet.urls.rpc, (method, result, params) => {
    if (method !== 'block_results') return undefined
    const height = String(params['height'])
    const reading = (readings.get(height) ?? 0) + 1
    readings.set(height, reading)
    return reading > 1 && reading <= 1 + lies ? withoutEvents(method, result, params) : undefined
  })
  const alone = await startVerifying(t, devnet, { nodes: [liar] })
  const a = await alone.settle('a')
  await alone.untilVerified(({ proven }) => proven === 1, 'the submission is proven')
  t.ok((readings.get(String(a.height)) ?? 0) >= 5, 'the block was read until the node told the truth')
  t.strictSame(alone.logged(DIFFERS), [])

  lies = Number.POSITIVE_INFINITY
  const b = await alone.settle('b')
  await until(() => alone.kinds().includes('results-differ'), 'the difference is said')
  t.match(alone.logged(DIFFERS), [{ level: 'error', fields: { height: b.height } }])
  lies = 0
  await alone.untilVerified(({ proven }) => proven === 2, 'the node tells the truth again')
  await until(() => alone.kinds().length === 0, 'nothing is reported any more')
  await alone.stop()

  lies = Number.POSITIVE_INFINITY
  const { directory } = alone
  const both = await startVerifying(t, devnet, { directory, nodes: [liar, devnet.urls.rpc] })
  await until(() => both.verification(), 'the leader compares blocks')
  await both.settle('c')
  await both.untilVerified(({ proven }) => proven === 3, 'the other node proves it')
  t.strictSame(both.logged(DIFFERS), [])
})

test('reports that no block could be compared for an hour', async t => {
  const { engine, kinds, script, time } = await engineContext()
  const { step } = createVerifier(engine)
  await step()
  const { block } = script
  Object.assign(script, { height: 110, block: () => undefined })
  engine.setWalletState({ ...engine.walletState(), cursorHeight: 110 })
  time.now += 3_600_001
  await step()
  t.strictSame(kinds(), ['verification-behind'])
  script.block = block
  for (let steps = 0; steps < 10; steps += 1) await step()
  t.strictSame(kinds(), [], 'all blocks are compared')
})
