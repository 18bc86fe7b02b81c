import { type Clock, systemClock } from '../../../../services/clock.ts'
import { ServiceError } from '../../../../services/errors/index.ts'
import { createIntake } from '../../../../services/submission/act/intake.ts'
import { createShares } from '../../../../services/submission/act/shares.ts'
import { createSubmissionLog } from '../../../../services/submission/act/submission-log.ts'
import { StoreUncertainError } from '../../../../services/submission/errors.ts'
import { keepingLog } from '../../../helpers/keeping-log.ts'
import { test } from '../../../helpers/tap.ts'
import { createMemoryDatabase } from '../../../simulation/store/memory-database.ts'
import { fee, request } from '../store-data.ts'

function intakeOf(clock = systemClock) {
  const store = createMemoryDatabase().open()
  const { log, entries } = keepingLog()
  const state: { closed?: ServiceError } = {}
  const intake = createIntake({
    store,
    log,
    submissionLog: createSubmissionLog(log),
    clock,
    shares: createShares(store),
    closedReason: () => state.closed,
    incompleteReason: () => undefined,
    onDamage() {}
  })
  return { intake, store, entries, state }
}

test('a store that cannot be read does not turn a retry into a permanent rejection', async t => {
  const { intake, store, entries } = intakeOf()
  store.join = () => Promise.reject(new Error('disk'))
  await t.rejects(intake.isAccepted(request('a')), { code: 'INTAKE_CLOSED', statusCode: 503 })
  t.match(entries, [{ level: 'error', fields: { err: { message: 'disk' } } }])
})

test('a retry gets its submission even while the store cannot be written', async t => {
  const { intake, store, state } = intakeOf()
  const { submissionId } = await intake.submit(request('a'))
  store.take = () => Promise.reject(new Error('the disk is full'))
  t.match(await intake.submit(request('a')), { submissionId })
  state.closed = new ServiceError('INTAKE_CLOSED')
  t.match(await intake.submit(request('a')), { submissionId })
  await t.rejects(intake.submit(request('a', 'other content')), { code: 'QUOTE_ALREADY_USED' })
})

test('closes intake at 50,000 unsettled submissions, including those being stored', async t => {
  const { intake } = intakeOf()
  intake.setUnsettled(49_998)
  const last = [intake.submit(request('a')), intake.submit(request('b'))]
  const headers = { 'retry-after': '5' }
  await t.rejects(intake.submit(request('c')), { code: 'INTAKE_CLOSED', statusCode: 503, headers })
  await Promise.all(last)
  await t.rejects(intake.submit(request('c')), { code: 'INTAKE_CLOSED' })
  const key = { kind: 'key', value: 'k' } as const
  t.match(await intake.submit(request('a', 'a', [fee('a'), key])), { status: 'queued' })
  const reused = intake.submit(request('d', 'd', [fee('d'), key]))
  await t.rejects(reused, { code: 'IDEMPOTENCY_KEY_REUSED' }, 'the retry’s key belongs to its submission')
  intake.setUnsettled(49_999)
  t.match(await intake.submit(request('c')), { status: 'queued' })
})

const hastyClock: Clock = {
  ...systemClock,
  after(_ms, action) {
    setImmediate(action)
    return () => {}
  }
}

/** What happens to a write: `stored` writes get no response, and `lost` ones are not stored either. */
type Fate = 'answered' | 'stored' | 'lost' | 'failed'

const UNKNOWN: [Fate[], isKnown: boolean, isStored: boolean][] = [
  [['lost', 'lost', 'answered'], true, true],
  [['stored', 'stored', 'answered'], true, true],
  [['lost', 'stored', 'lost', 'lost', 'lost'], false, true],
  [['lost', 'failed', 'failed', 'failed', 'failed'], false, false]
]

test('repeats a write of unknown outcome four times; after that, a retry resolves it', async t => {
  for (const [fates, isKnown, isStored] of UNKNOWN) {
    const { intake, store } = intakeOf(hastyClock)
    const { take } = store
    const calls: string[][] = []
    store.take = async requests => {
      calls.push(requests.map(({ submissionId }) => submissionId))
      const fate = fates[calls.length - 1] ?? 'answered'
      if (fate === 'answered') return take(requests)
      if (fate === 'failed') throw new Error('the store is gone')
      if (fate === 'stored') await take(requests)
      throw new StoreUncertainError('the connection was lost')
    }
    const submitting = intake.submit(request('a'))
    const error = { code: 'SUBMISSION_UNKNOWN', statusCode: 503, headers: { 'retry-after': '5' } }
    if (isKnown) t.match(await submitting, { status: 'queued' })
    else await t.rejects(submitting, error)
    t.strictSame(calls, Array(fates.length).fill(calls[0]), 'with the same ids')
    t.equal((await intake.submit(request('a'))).submissionId === calls[0]?.[0], isStored)
    t.equal(await store.countUnsettled(), 1)
    if (isKnown) t.equal(intake.unsettled, 1)
  }
})
