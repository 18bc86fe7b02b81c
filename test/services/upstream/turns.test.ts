import { createTurns } from '../../../services/upstream/turns.ts'
import { test } from '../../helpers/tap.ts'

const never = () => new Promise<never>(() => {})
const patient = new AbortController().signal

test('a call whose time ends while it waits is never made', async t => {
  const inTurn = createTurns('fee service', { running: 1, waiting: 1 })
  let end = () => {}
  const first = inTurn(() => new Promise<void>(resolve => (end = resolve)), patient)
  const impatient = new AbortController()
  const second = t.rejects(
    inTurn(async () => t.fail('was made'), impatient.signal),
    { message: 'late' }
  )
  impatient.abort(new Error('late'))
  await second
  const third = inTurn(async () => 'made', patient)
  end()
  await first
  t.equal(await third, 'made', 'its place is free')
})

test('a call that nobody waits for any more keeps its turn until it ends', async t => {
  const inTurn = createTurns('fee service', { running: 1, waiting: 0 })
  const impatient = new AbortController()
  const call = inTurn(never, impatient.signal)
  impatient.abort(new Error('late'))
  await t.rejects(call, { message: 'late' })
  await t.rejects(inTurn(never, patient), { code: 'UPSTREAM_BUSY', headers: { 'retry-after': '1' } })
})

test('calls that fail end their turn too', async t => {
  const inTurn = createTurns('fee service', { running: 1, waiting: 0 })
  for (let count = 0; count < 3; count += 1) {
    await t.rejects(
      inTurn(() => Promise.reject(new Error('reset')), patient),
      { message: 'reset' }
    )
  }
})
