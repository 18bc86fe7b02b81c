import { test } from 'tap'
import type { IntakeRequest, IntakeResult, SubmissionStore } from '../../services/submission/store/types.ts'
import { simulate } from './simulate.ts'

test('a seed tells the same story each time', async t => {
  for (let seed = 1; seed <= 20; seed++) {
    const [first, second]: [string[], string[]] = [[], []]
    await simulate(seed, { write: line => first.push(line) })
    await simulate(seed, { write: line => second.push(line) })
    t.strictSame(first, second, `seed ${seed}`)
  }
})

/** Stores that break their word, each in a way that the oracle must notice. */
const faulty: Record<string, (store: SubmissionStore) => SubmissionStore> = {
  'forgets over a restart what was signed': store => ({ ...store, openVariants: async () => [] }),
  'forgets what it took': store => ({ ...store, take: async requests => requests.map(taken) }),
  'passes over what blocks say': store => ({
    ...store,
    applyBlock: block => store.applyBlock({ ...block, resolutions: [] })
  })
}

function taken({ submissionId }: IntakeRequest): IntakeResult {
  const submission = { submissionId, status: 'queued', createdAt: '', updatedAt: '' } as const
  return { status: 'created', submission }
}

for (const [fault, alterStore] of Object.entries(faulty)) {
  test(`a store that ${fault} is found out`, async t => {
    let failures: string[] = []
    for (let seed = 0; seed < 1000 && failures.length === 0; seed++) {
      failures = (await simulate(seed, { alterStore })).failures
    }
    t.not(failures.length, 0)
  })
}
