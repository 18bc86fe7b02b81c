import { createLimiter } from '../../../services/async/limiter.ts'
import { test } from '../../helpers/tap.ts'

const never = () => new Promise<never>(() => {})
const refusal = () => new Error('too many')
const patient = new AbortController().signal

test('never makes a call that was aborted while waiting', async t => {
  const limited = createLimiter(1, { waiting: 1, refusal })
  let end = () => {}
  const first = limited(() => new Promise<void>(resolve => (end = resolve)), patient)
  const impatient = new AbortController()
  const second = t.rejects(
    limited(async () => t.fail('was made'), impatient.signal),
    { message: 'late' }
  )
  impatient.abort(new Error('late'))
  await second
  const third = limited(async () => 'made', patient)
  end()
  await first
  t.equal(await third, 'made', 'the aborted call’s place is free')
})

test('an aborted call keeps its slot until it ends', async t => {
  const limited = createLimiter(1, { waiting: 0, refusal })
  const impatient = new AbortController()
  const call = limited(never, impatient.signal)
  impatient.abort(new Error('late'))
  await t.rejects(call, { message: 'late' })
  await t.rejects(limited(never, patient), { message: 'too many' })
})

test('waiting calls start in order of arrival', async t => {
  const limited = createLimiter(1)
  const started: number[] = []
  await Promise.all([1, 2, 3].map(call => limited(async () => started.push(call))))
  t.strictSame(started, [1, 2, 3])
})
