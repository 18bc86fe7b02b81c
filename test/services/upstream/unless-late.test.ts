import { UpstreamTimeoutError } from '../../../services/upstream/errors.ts'
import { createUnlessLate } from '../../../services/upstream/unless-late.ts'
import { test } from '../../helpers/tap.ts'

const LATE = 10
const PAUSE_MS = 1000

const late = new UpstreamTimeoutError('fee service', 'no response within 5 ms')

test('pauses calls after ten consecutive timeouts until a trial call succeeds', async t => {
  let nowMs = 0
  let made = 0
  const changes: string[] = []
  const clock = { now: () => nowMs, elapsed: () => nowMs, after: () => () => {} }
  const observer = { paused: () => changes.push('paused'), resumed: () => changes.push('resumed') }
  const unlessLate = createUnlessLate('fee service', observer, clock)
  const call = (answer: () => Promise<string>) =>
    unlessLate(() => {
      made += 1
      return answer()
    })
  const succeed = () => call(async () => 'an answer')
  const fail = () => call(async () => Promise.reject(late)).catch(reason => reason)

  for (let count = 0; count < LATE; count += 1) t.equal(await fail(), late)
  nowMs += PAUSE_MS - 1
  const message = 'fee service: calls are paused because the last calls timed out'
  const paused = { code: 'UPSTREAM_TIMEOUT', statusCode: 504, headers: { 'retry-after': '1' }, message }
  await t.rejects(succeed(), paused)
  t.equal(made, LATE)
  t.same(changes, ['paused'])
  nowMs += 1
  t.equal(await fail(), late, 'a trial that is late too')
  nowMs += PAUSE_MS
  let answer = (_text: string) => {}
  const trial = call(() => new Promise(resolve => (answer = resolve)))
  await t.rejects(succeed(), { code: 'UPSTREAM_TIMEOUT' }, 'while the trial is pending')
  t.equal(made, LATE + 2)
  answer('late but right')
  t.equal(await trial, 'late but right')
  t.equal(await succeed(), 'an answer')
  t.same(changes, ['paused', 'resumed'])
})
