import { startDelivery } from '../../../services/webhooks/delivery.ts'
import { MAX_PAUSE_MS, pauseAfter, readRetryAfter } from '../../../services/webhooks/schedule.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'
import { createVirtualClock } from '../../simulation/time/virtual-clock.ts'

const HOUR_MS = 3_600_000

/** The age from which an event might have had every scheduled attempt. */
const OLD_MS = 100 * HOUR_MS

test('pauses grow for three days, after which attempts end', async t => {
  const pauses = Array.from({ length: 9 }, (_, made) => pauseAfter(made + 1, OLD_MS, undefined, 0.5) ?? 0)
  const seconds = pauses.map(ms => ms / 1000)
  t.strictSame(seconds, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  const days = pauses.reduce((sum, ms) => sum + ms) / (24 * HOUR_MS)
  t.ok(days > 3 && days < 4, 'three days', { days })
  t.equal(pauseAfter(10, OLD_MS, undefined, 0.5), undefined)
  t.equal(pauseAfter(10, OLD_MS, 1000, 0.5), undefined)
})

test('attempts aborted by restarts do not shorten the schedule', async t => {
  t.equal(pauseAfter(20, 0, undefined, 0.5), 5000)
  t.equal(pauseAfter(20, 60 * HOUR_MS, undefined, 0.5), 24 * HOUR_MS)
  t.equal(pauseAfter(20, OLD_MS, undefined, 0.5), undefined)
})

test('pauses vary by up to 10%', async t => {
  t.equal(pauseAfter(1, OLD_MS, undefined, 0), 4500)
  t.equal(pauseAfter(1, OLD_MS, undefined, 1), 5500)
  t.equal(pauseAfter(9, OLD_MS, undefined, 1), Math.round(MAX_PAUSE_MS), 'the longest pause')
})

test('a retry follows its pause, also between two polls of an idle outbox', async t => {
  const clock = createVirtualClock()
  const claimed = { submissionId: 's', type: 'submission.committed', attempts: 1, redeliveries: 0 } as const
  const event = { ...claimed, eventId: 'e', payload: '{}', createdAt: clock.now() }
  const due = [event]
  const send = async () => ({ isDelivered: false, detail: 'status 503' })
  let sent = 0
  startDelivery({
    outbox: {
      claim: async () => due.splice(0),
      async record([ended]) {
        sent += 1
        if (ended?.outcome === 'postponed') clock.after(ended.delayMs, () => due.push(event))
      }
    },
    receiver: { send, close: async () => {} },
    now: clock.now,
    log: keepingLog().log,
    clock,
    random: () => 1
  })
  await clock.runFor(6000)
  t.equal(sent, 2, 'the pause was 5.5 s')
})

test('a receiver’s retry-after extends the pause, up to a day', async t => {
  t.equal(pauseAfter(1, OLD_MS, 60_000, 0.5), 60_000)
  t.equal(pauseAfter(3, OLD_MS, 60_000, 0.5), HOUR_MS / 2, 'a shorter retry-after has no effect')
  t.equal(pauseAfter(1, OLD_MS, 1e12, 0.5), 24 * HOUR_MS)
})

test('reads retry-after as seconds or as a date', async t => {
  const now = Date.UTC(2030, 0, 1)
  t.equal(readRetryAfter('120', now), 120_000)
  t.equal(readRetryAfter('Tue, 01 Jan 2030 00:01:00 GMT', now), 60_000)
  t.equal(readRetryAfter('Mon, 31 Dec 2029 23:00:00 GMT', now), 0)
  for (const value of [undefined, '', 'soon', '-1', '1'.repeat(10), ['1', '2']]) {
    t.equal(readRetryAfter(value, now), undefined, String(value))
  }
})
