import { startDelivery } from '../../../services/webhooks/delivery.ts'
import type { Outcome, Receiver } from '../../../services/webhooks/receiver.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'
import { createVirtualClock } from '../../simulation/time/virtual-clock.ts'
import { memoryOutbox } from './memory-outbox.ts'

const HOUR_MS = 3_600_000

const DELIVERED: Outcome = { isDelivered: true, detail: 'status 200' }
const REFUSED: Outcome = { isDelivered: false, detail: 'status 500' }

/** Starts a delivery worker for a receiver with scripted responses, on a clock that the test advances. */
function delivery(
  respond: (eventId: string) => Outcome | Promise<undefined>,
  { close = async () => {}, random = (): number => 0.5 } = {}
) {
  const clock = createVirtualClock()
  const attempts: number[] = []
  const receiver: Receiver = {
    async send({ eventId }) {
      await clock.delay(10)
      const outcome = await respond(eventId)
      attempts.push(clock.elapsed() / 1000)
      return outcome
    },
    close
  }
  const now = () => Math.round(clock.now())
  const outbox = memoryOutbox(now)
  const { log, entries } = keepingLog()
  const worker = startDelivery({ outbox, receiver, now, log, clock, random })
  return {
    clock,
    outbox,
    worker,
    entries,
    attempts,
    logged: (text: string) => entries.filter(({ message }) => message.includes(text)),
    runFor: clock.runFor,
    async stop() {
      let isOver = false
      const stopped = worker.stop().then(() => {
        isOver = true
      })
      await clock.run(() => isOver)
      await stopped
    }
  }
}

const submissionIds = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`)

test('retries an event on schedule, or when the receiver asks for it', async t => {
  const outcome: Outcome = { ...REFUSED }
  // The longest pauses are those that a poll of the outbox could make even longer.
  const { outbox, attempts, logged, runFor } = delivery(() => ({ ...outcome }), { random: () => 1 })
  await outbox.add(['one'])
  await runFor(HOUR_MS)
  outcome.retryAfterMs = 6 * HOUR_MS
  await runFor(10 * HOUR_MS)
  const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
  const due = [5.5, 330, 1980, 7920, 21_600]
  t.equal(pauses.length, due.length)
  for (const [index, pause] of pauses.entries()) {
    const late = pause - (due[index] ?? 0)
    t.ok(late >= 0 && late <= 0.2, `attempt ${index + 2}`, { late })
  }
  const event = { eventId: 'msg_one_committed', submissionId: 'one', type: 'submission.committed' }
  const fields = { failures: 1, ...event, attempts: 1, problem: 'status 500' }
  t.match(logged('could not be delivered')[0], { level: 'warn', fields })
})

test('abandons an event after its last scheduled attempt, and then sends the submission’s next event', async t => {
  const { outbox, logged, runFor } = delivery(id => (id.includes('finished') ? DELIVERED : REFUSED))
  const ageMs = 80 * HOUR_MS
  await outbox.add(['early'], 'submission.committed', { attempts: 8, ageMs })
  await outbox.add(['last'], 'submission.committed', { attempts: 9, ageMs })
  await outbox.add(['early', 'last'], 'transfer.finished')
  await runFor(HOUR_MS)
  t.strictSame([await outbox.count('abandoned'), await outbox.count('delivered')], [1, 1])
  t.match(logged('abandoned'), [{ level: 'error', fields: { submissionId: 'last', problem: 'status 500' } }])
})

test('sends a submission’s events in order without delaying other submissions', async t => {
  let isWell = false
  const order: string[] = []
  const { outbox, runFor } = delivery(eventId => {
    if (eventId.includes('bad') && !isWell) return REFUSED
    order.push(eventId)
    return DELIVERED
  })
  await outbox.add(['bad', 'good'])
  await outbox.add(['bad', 'good'], 'transfer.finished')
  await runFor(1000)
  t.strictSame(order, ['msg_good_committed', 'msg_good_finished'])
  isWell = true
  await runFor(HOUR_MS)
  t.strictSame(order.slice(2), ['msg_bad_committed', 'msg_bad_finished'])
})

test('sends occasional trials to a dead receiver, and all events once it has recovered', async t => {
  let isWell = false
  const { outbox, attempts, entries, logged, runFor } = delivery(() => (isWell ? DELIVERED : REFUSED))
  await outbox.add(submissionIds(800))
  await runFor(3 * HOUR_MS)
  t.ok(attempts.length < 3 * 60 + 30, 'at most one attempt a minute', { attempts: attempts.length })
  t.ok(attempts.length > 3 * 59, 'nearly one attempt a minute', { attempts: attempts.length })
  t.equal(logged('webhooks paused').length, 1)
  const fields = { submissionId: 's9', problem: 'status 500' }
  t.match(logged('webhooks paused'), [{ level: 'warn', fields }])
  t.ok(entries.length < 30, 'the log has few lines', { lines: entries.length })
  isWell = true
  await runFor(5 * 60_000)
  t.match(logged('delivery resumed'), [{ level: 'info' }])
  t.ok((await outbox.count('delivered')) > 500, 'events without an attempt are sent without delay')
  await runFor(6 * HOUR_MS)
  t.equal(await outbox.count('delivered'), 800)
})

test('polls an idle outbox rarely, and immediately after a notification', async t => {
  const { outbox, attempts, entries, worker, runFor } = delivery(() => DELIVERED)
  await runFor(HOUR_MS)
  t.ok(outbox.claims() < 750, 'one claim every five seconds', { claims: outbox.claims() })
  await outbox.add(['one'])
  worker.wake()
  await runFor(20)
  t.equal(attempts.length, 1)
  const event = { eventId: 'msg_one_committed', submissionId: 'one', type: 'submission.committed' }
  const fields = { ...event, attempts: 1 }
  t.strictSame(entries, [{ level: 'info', fields, message: 'webhook delivered' }])
})

test('records a delivery later if the store fails, without resending the event', async t => {
  const { outbox, attempts, logged, worker, stop, runFor } = delivery(() => DELIVERED)
  const { record } = outbox
  let isDown = true
  outbox.record = async deliveries => {
    if (isDown) throw new Error('no store')
    await record(deliveries)
  }
  await outbox.add(['one'])
  await runFor(30_000)
  t.equal(await outbox.count('delivered'), 0)
  isDown = false
  await runFor(2000)
  t.equal(await outbox.count('delivered'), 1)
  t.equal(attempts.length, 1)
  isDown = true
  await outbox.add(['two'])
  worker.wake()
  await runFor(100)
  await stop()
  t.match(logged('could not be recorded'), [{ level: 'warn', fields: { err: { message: 'no store' } } }])
})
