import type { SubmissionStore } from '../../../../services/submission/contract.ts'
import { createSubmissionEngine } from '../../../../services/submission/engine.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { fastClock } from '../../../helpers/clock.ts'
import { REFUSAL, request } from '../../../helpers/store-data.ts'
import { type Test, test } from '../../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../../helpers/until.ts'
import { CONTROL_REQUEST, engineContext, failed, passed } from './engine-context.ts'

/** How long a test waits for a result, on the accelerated clock below. */
const PATIENCE = 100 * PATIENCE_MS

/** Sets up replicas that share one store, on a chain of 100 blocks that refuses every message. */
async function replicas(t: Test) {
  const context = await engineContext()
  const { script, database } = context
  const { chain, wallet, settings, log, identify } = context.engine
  script.block = height => (height <= script.height ? chainBlock(height) : undefined)
  script.simulate = (messages, isControlRequest) => {
    if (isControlRequest && messages === 1) return passed(100_000)
    const index = isControlRequest ? 1 : 0
    return failed(`failed to execute message; message index: ${index}: no such token: invalid request`, 18)
  }

  async function start(alter = (store: SubmissionStore) => store) {
    const store = database.open()
    const tools = { chain, wallet, settings, log, identify, controlRequest: CONTROL_REQUEST }
    const engine = createSubmissionEngine({ ...tools, clock: fastClock(100), store: alter(store) })
    await engine.start()
    t.teardown(() => engine.stop())
    const submit = (feeId: string) => engine.submit(request(feeId))
    return {
      engine,
      submit,
      settle: async (feeId: string) => engine.settled((await submit(feeId)).submissionId, PATIENCE)
    }
  }

  return { start, reject: context.engine.store.reject, script }
}

test('limits a caller’s share of the backlog, and frees it without the settled ids', async t => {
  const { start, reject } = await replicas(t)
  const { engine } = await start(store => ({
    ...store,
    lead: async () => undefined,
    onNotification: hear => store.onNotification(({ kind }) => kind === 'settled' && hear({ kind }))
  }))
  const submit = (name: string) => engine.submit(request(name), { shareOf: 'shop', requestId: 'a request' })
  const [first] = await Promise.all(Array.from({ length: 5000 }, (_, number) => submit(`fee-${number}`)))
  await t.rejects(submit('fee-5000'), {
    code: 'BACKLOG_SHARE',
    statusCode: 429,
    headers: { 'retry-after': '5' }
  })
  t.match(await submit('fee-0'), { submissionId: first?.submissionId }, 'a retry')
  t.match(await engine.submit(request('fee-5000'), { shareOf: 'another', requestId: 'a request' }), {
    status: 'queued'
  })
  await reject(first?.submissionId ?? '', REFUSAL)
  await until(() => submit('fee-5001').catch(() => undefined), 'the settled submission frees its place')
})

test('each replica reports the leader’s health, and closes intake while it has a blocker', async t => {
  const { start, script } = await replicas(t)
  const silent = (store: SubmissionStore): SubmissionStore => ({
    ...store,
    async report() {
      const report = await store.report()
      return report && { ...report, ageMs: 30_000, withoutTxId: 3 }
    }
  })
  const [leader, other] = [await start(), await start(silent)]
  const passes = script.simulate
  script.simulate = () => failed('the creator is not whitelisted: unauthorized', 4)
  const { submissionId } = await other.submit('fee-1')
  await until(() => other.engine.health().blockers.length > 0, 'the other replica reports the blocker')
  const { blockers, height } = leader.engine.health()
  t.match(other.engine.health(), { blockers, height, leaderSilentMs: 30_000, withoutTxId: 3 })
  await t.rejects(other.submit('fee-2'), { code: 'WALLET_NOT_WHITELISTED' })
  script.simulate = passes
  t.match(await other.engine.settled(submissionId, PATIENCE), { status: 'rejected' })
  await until(() => other.engine.health().blockers.length === 0, 'the blocker is cleared')
  t.match(await other.settle('fee-2'), { status: 'rejected' })
})
