import { type Clock, systemClock } from '../../../../services/clock.ts'
import { ServiceError } from '../../../../services/errors/index.ts'
import { createIntake } from '../../../../services/submission/act/intake.ts'
import { createShares } from '../../../../services/submission/act/shares.ts'
import { createSubmissionLog } from '../../../../services/submission/act/submission-log.ts'
import { StoreUncertainError } from '../../../../services/submission/errors.ts'
import { keepingLog } from '../../../helpers/keeping-log.ts'
import { fee, request } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'
import { createMemoryDatabase } from '../../../simulation/store/memory-database.ts'

const from = (shareOf: string) => ({ shareOf, requestId: 'a request' })

function intakeOf(clock = systemClock) {
  const store = createMemoryDatabase().open()
  const { take } = store
  const groups: number[] = []
  store.take = requests => {
    groups.push(requests.length)
    return take(requests)
  }
  const { log, entries } = keepingLog()
  const shares = createShares(store)
  const state: { closed?: ServiceError | undefined; accepted: number } = { accepted: 0 }
  const intake = createIntake({
    store,
    log,
    submissionLog: createSubmissionLog(log),
    clock,
    shares,
    closedReason: () => state.closed,
    incompleteReason: () => undefined,
    onDamage() {}
  })
  store.onNotification(({ kind }) => {
    if (kind === 'queued') state.accepted += 1
  })
  return { intake, store, shares, groups, entries, state }
}

test('stores concurrent submissions in one transaction, and notifies once', async t => {
  const { intake, groups, state } = intakeOf()
  const ids = await Promise.all(['a', 'b', 'a'].map(name => intake.submit(request(name))))
  t.strictSame(groups, [3])
  t.equal(state.accepted, 1)
  t.equal(new Set(ids.map(({ submissionId }) => submissionId)).size, 2)
  t.equal(intake.unsettled, 2)
})

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

test('limits a caller to 5,000 unsettled submissions, but still accepts its retries', async t => {
  const { intake, store, shares } = intakeOf()
  const mine = (name: string, content = name) => intake.submit(request(name, content), from('shop'))
  const refused = { code: 'BACKLOG_SHARE', statusCode: 429, headers: { 'retry-after': '5' } }
  const most = await Promise.all(Array.from({ length: 4999 }, (_, number) => mine(`a-${number}`)))
  t.equal((await mine('a-7')).submissionId, most[7]?.submissionId)
  const { take } = store
  store.take = () => Promise.reject(new Error('the disk is full'))
  await t.rejects(mine('b'), { code: 'INTAKE_CLOSED' })
  store.take = take
  await mine('b')
  await t.rejects(mine('c'), refused)
  await t.rejects(mine('a-7', 'other content'), { code: 'QUOTE_ALREADY_USED' })
  const other = await intake.submit(request('c'), from('another'))
  t.match(other, { status: 'queued' }, 'another caller is accepted')
  t.equal(intake.unsettled, 5001)
  shares.remove([most[0]?.submissionId ?? ''])
  t.match(await mine('c2'), { status: 'queued' }, 'a settled submission frees one place')
  await t.rejects(mine('d'), refused)
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

function uncertainIntake(fateOf: (call: number) => Fate) {
  const context = intakeOf(hastyClock)
  const { take } = context.store
  const calls: string[][] = []
  context.store.take = async requests => {
    calls.push(requests.map(({ submissionId }) => submissionId))
    const fate = fateOf(calls.length)
    if (fate === 'answered') return take(requests)
    if (fate === 'failed') throw new Error('the store is gone')
    if (fate === 'stored') await take(requests)
    throw new StoreUncertainError('the connection was lost')
  }
  return { ...context, calls }
}

test('repeats a write with the same ids until its outcome is known', async t => {
  for (const fate of ['lost', 'stored'] as const) {
    const { intake, store, calls } = uncertainIntake(call => (call < 3 ? fate : 'answered'))
    const submission = await intake.submit(request('a'))
    t.match(submission, { status: 'queued' })
    t.strictSame(calls, Array(3).fill([submission.submissionId]))
    t.equal(await store.countUnsettled(), 1)
    t.equal(intake.unsettled, 1)
  }
})

test('reports SUBMISSION_UNKNOWN if the outcome stays unknown; a retry resolves it', async t => {
  for (const fates of [
    ['lost', 'stored', 'lost', 'lost', 'lost'],
    ['lost', 'failed', 'failed', 'failed', 'failed']
  ] as const) {
    const { intake, store, calls, entries } = uncertainIntake(call => fates[call - 1] ?? 'answered')
    await t.rejects(intake.submit(request('a')), {
      code: 'SUBMISSION_UNKNOWN',
      statusCode: 503,
      message: /unknown whether .* same body/,
      headers: { 'retry-after': '5' }
    })
    t.equal(calls.length, 5)
    t.match(entries, [{ level: 'error', message: 'could not determine whether submissions were stored' }])
    const isStored = fates[1] === 'stored'
    t.equal((await intake.submit(request('a'))).submissionId === calls[0]?.[0], isStored)
    t.equal(await store.countUnsettled(), 1)
  }
})
