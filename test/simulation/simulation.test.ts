import { test } from 'tap'
import type { EngineStore } from '../../services/submission/store/engine-store.ts'
import type { IntakeRequest, IntakeResult, SubmissionStore } from '../../services/submission/store/types.ts'
import { runSchedules } from './run-schedules.ts'
import { simulate } from './simulate.ts'

/** Enough for most errors of the engine; the long suite plays more. */
const SCHEDULES = 1500

test('each submission is executed once or refused, whatever fails on the way', async t => {
  const { report, exitCode } = await runSchedules(0, SCHEDULES)
  t.equal(exitCode, 0, report)
})

test('a seed gives the same trace each time', async t => {
  for (let seed = 1; seed <= 20; seed++) {
    const [first, second]: [string[], string[]] = [[], []]
    await simulate(seed, { write: line => first.push(line) })
    await simulate(seed, { write: line => second.push(line) })
    t.strictSame(first, second, `seed ${seed}`)
  }
})

/** Alters what a leader uses. */
function alterTerms(alter: (store: EngineStore) => Partial<EngineStore>) {
  return (store: SubmissionStore): SubmissionStore => ({
    ...store,
    async lead() {
      const term = await store.lead()
      return term && { ...term, store: { ...term.store, ...alter(term.store) } }
    }
  })
}

/** Stores that break a rule, which the oracle must notice. */
const faulty: Record<string, (store: SubmissionStore) => SubmissionStore> = {
  'loses signed transactions on a restart': alterTerms(() => ({ openVariants: async () => [] })),
  'loses what it took': store => ({ ...store, take: async requests => requests.map(taken) }),
  'ignores the results of blocks': alterTerms(store => ({
    applyBlocks: blocks => store.applyBlocks(blocks.map(block => ({ ...block, resolutions: [] })))
  }))
}

function taken({ submissionId }: IntakeRequest): IntakeResult {
  const submission = { submissionId, status: 'queued', createdAt: '', updatedAt: '' } as const
  return { status: 'created', submission }
}

for (const [fault, alterStore] of Object.entries(faulty)) {
  test(`a store that ${fault} is detected`, async t => {
    let failures: string[] = []
    for (let seed = 0; seed < 1000 && failures.length === 0; seed++) {
      failures = (await simulate(seed, { alterStore })).failures
    }
    t.not(failures.length, 0)
  })
}
