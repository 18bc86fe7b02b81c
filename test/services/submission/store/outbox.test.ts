import { createMessageTypes } from '../../../../services/messages/index.ts'
import type { BlockOutcome, SubmissionOutcome } from '../../../../services/submission/contract.ts'
import type { Delivery, Outbox, OutboxEvent, Webhooks } from '../../../../services/submission/store/outbox.ts'
import { durableStores, type StoreKind, type StorePlace } from '../../../helpers/durable-stores.ts'
import { leadingStore } from '../../../helpers/leading-store.ts'
import {
  block,
  committed,
  consumed,
  request as ofStore,
  REFUSAL,
  signed,
  WALLET_STATE
} from '../../../helpers/store-data.ts'
import { type Test, test } from '../../../helpers/tap.ts'

const { requestTransaction } = createMessageTypes('acme')

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

const FIRST = { ...WALLET_STATE, nextSequence: 1 }

function request(name: string) {
  const { typeUrl, encode, fromPartial } = requestTransaction
  const options = JSON.stringify({ feeId: name })
  return { ...ofStore(name), typeUrl, message: encode(fromPartial({ originChain: 'ETH', options })).finish() }
}

/** Only SQLite can store invalid UTF-8. Reading it as text makes libsql abort the process. */
const NOT_UTF8 = "payload = CAST(x'ff' AS TEXT)"

/** Column values that a server never writes. */
const damages = [
  "payload = ''",
  "payload = '{'",
  `payload = '{"data":{}}'`,
  'created_at = -1',
  'attempts = -1',
  'redeliveries = -1'
]

const blockOf = (sequence: number, outcomes: SubmissionOutcome[]): BlockOutcome => ({
  ...block(100 + sequence, consumed(sequence, outcomes)),
  time: START
})

type Settled = Record<string, number | 'rejected' | undefined>

async function openIn(t: Test, place: StorePlace, now?: () => number, webhooks?: Webhooks) {
  const opened = await place.openWithOutbox(WALLET_STATE.address, now, webhooks)
  t.teardown(() => opened.close())
  const { outbox } = opened
  const store = await leadingStore(opened)

  /**
   * Settles submissions in a new slot. A number commits the submission with that transaction id, and undefined commits
   * it without one.
   */
  async function settle(sequence: number, names: Settled): Promise<void> {
    await store.take(Object.keys(names).map(request))
    const outcomes = Object.entries(names).map(
      ([name, result]): SubmissionOutcome =>
        result === 'rejected'
          ? { submissionId: `id-${name}`, status: 'rejected', error: REFUSAL }
          : committed(`id-${name}`, result)
    )
    const submissionIds = outcomes.map(({ submissionId }) => submissionId)
    await store.openSlot(signed(sequence, submissionIds))
    await store.applyBlock(blockOf(sequence, outcomes))
  }

  return { store, outbox, settle }
}

async function newStore(t: Test, { newPlace }: StoreKind, webhooks?: Webhooks) {
  const clock = { time: START }
  const opened = await openIn(t, await newPlace(t), () => clock.time, webhooks)
  await opened.store.putWalletState(FIRST)
  return { ...opened, clock }
}

/** Settles submissions in a new store, runs `sql` on its data, and opens the store again. */
async function damagedStore(
  t: Test,
  { newPlace }: StoreKind,
  settled: Settled,
  sql: string,
  isDelivered = false
) {
  const place = await newPlace(t)
  const { store, outbox, settle } = await openIn(t, place)
  await store.putWalletState(FIRST)
  await settle(1, settled)
  if (isDelivered) await outbox.record((await outbox.claim(9)).map(delivered))
  await store.close()
  await place.execute(sql)
  const clock = { time: Date.now() }
  const found: string[] = []
  const reopen = () => openIn(t, place, () => clock.time, { onDamage: ({ message }) => found.push(message) })
  return { ...(await reopen()), place, clock, found, reopen }
}

async function claimOne(outbox: Outbox): Promise<OutboxEvent> {
  const [event] = await outbox.claim(1)
  if (event === undefined) throw new Error('nothing was claimed')
  return event
}

const idsOf = (events: readonly OutboxEvent[]) => events.map(({ eventId }) => eventId)
const delivered = (event: OutboxEvent): Delivery => ({ ...event, outcome: 'delivered' })

for (const [name, kind] of Object.entries(await durableStores())) {
  test(`${name}: writes an event for each settled submission, but none for a requeued one`, async t => {
    const { store, outbox, settle } = await newStore(t, kind)
    await settle(1, { a: 42, b: 'rejected', c: undefined })
    await store.take([request('d')])
    await store.openSlot(signed(2, ['id-d']))
    await store.applyBlock(blockOf(2, [{ submissionId: 'id-d', status: 'queued' }]))
    t.match(await outbox.backlog(), { pending: 3 })
    await store.reject('id-d', REFUSAL)
    const events = await outbox.claim(10)
    const kinds = ['a_committed', 'b_rejected', 'c_committed', 'd_rejected']
    t.strictSame(
      idsOf(events),
      kinds.map(each => `msg_id-${each}`)
    )
    for (const { submissionId, payload, createdAt, attempts } of events) {
      const { timestamp, data } = JSON.parse(payload)
      t.strictSame([data.submission.submissionId, `id-${data.request.feeId}`], [submissionId, submissionId])
      t.strictSame([timestamp, createdAt, attempts], [new Date(START).toISOString(), START, 1])
    }
  })

  test(`${name}: writes no event for a submission settled before webhooks were enabled`, async t => {
    const place = await kind.newPlace(t)
    const without = await leadingStore(await place.open(WALLET_STATE.address))
    await without.putWalletState(FIRST)
    await without.take([request('a'), request('b')])
    await without.openSlot(signed(1, ['id-a']))
    await without.applyBlock(blockOf(1, [committed('id-a', 1)]))
    await without.close()
    const { outbox, store } = await openIn(t, place)
    t.strictSame(await outbox.claim(10), [])
    await store.reject('id-b', REFUSAL)
    t.strictSame(idsOf(await outbox.claim(10)), ['msg_id-b_rejected'])
  })

  test(`${name}: reserves a claimed event for a minute, then lets it be claimed again`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    await settle(1, { a: 1, b: 2, c: 3 })
    const claimed = async (limit: number) => (await outbox.claim(limit)).map(one => one.submissionId.slice(3))
    t.strictSame([await claimed(2), await claimed(2), await claimed(2)], [['a', 'b'], ['c'], []])
    clock.time += MINUTE
    t.strictSame(await claimed(10), ['a', 'b', 'c'])
  })

  test(`${name}: ignores a failed delivery reported by an outdated claim`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    await settle(1, { a: 1 })
    const first = await claimOne(outbox)
    clock.time += MINUTE
    const second = await claimOne(outbox)
    const postponed = { outcome: 'postponed', delayMs: 10 * MINUTE, problem: 'HTTP 503' } as const
    await outbox.record([{ ...delivered(second), ...postponed }])
    await outbox.record([{ ...delivered(first), outcome: 'abandoned', problem: 'late' }])
    t.match(await outbox.backlog(), { pending: 1, abandoned: 0 })
    clock.time += 10 * MINUTE - 1
    t.strictSame(await outbox.claim(1), [])
    clock.time += 1
    t.match(await outbox.claim(1), [{ eventId: first.eventId, attempts: 3, payload: first.payload }])
    await outbox.record([delivered(first)])
    t.match(await outbox.backlog(), { pending: 0 }, 'a late report of a delivery still counts')
  })

  test(`${name}: watches the transfers of delivered and abandoned events`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    await settle(1, { a: 1, b: 2, c: 3 })
    clock.time += MINUTE
    await settle(2, { d: 4 })
    t.strictSame(await outbox.backlog(), { pending: 4, oldestPendingAt: START, abandoned: 0 })
    const [a, b] = await outbox.claim(2)
    if (a === undefined || b === undefined) throw new Error('nothing was claimed')
    const deliveries: Delivery[] = [
      delivered(a),
      { ...delivered(b), outcome: 'abandoned', problem: 'HTTP 410' }
    ]
    await outbox.record(deliveries)
    await outbox.record(deliveries)
    clock.time += MINUTE
    t.strictSame(idsOf(await outbox.claim(10)), ['msg_id-c_committed', 'msg_id-d_committed'])
    t.strictSame(await outbox.backlog(), { pending: 2, oldestPendingAt: START, abandoned: 1 })
    const transfers = await outbox.claimTransfers(10)
    t.strictSame(transfers.map(({ submissionId }) => submissionId).sort(), ['id-a', 'id-b'])
  })

  test(`${name}: watches a transfer from its first delivered event to its final state`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    await settle(1, { a: 42, b: undefined, c: 'rejected' })
    t.strictSame(await outbox.claimTransfers(10), [], 'the committed events are not delivered yet')
    const committedEvents = await outbox.claim(10)
    await outbox.record(committedEvents.map(delivered))
    const claimed = await outbox.claimTransfers(10)
    t.match(claimed, [
      { submissionId: 'id-a', txId: 42, kind: 'transfer', request: { feeId: 'a' }, committedAt: START }
    ])
    t.strictSame(await outbox.claimTransfers(10), [], 'reserved')
    await outbox.postponeTransfers([{ submissionId: 'id-a', delayMs: 2 * MINUTE }])
    clock.time += 2 * MINUTE - 1
    t.strictSame(await outbox.claimTransfers(10), [])
    clock.time += 1
    const [transfer] = await outbox.claimTransfers(10)
    if (transfer === undefined) throw new Error('nothing was claimed')
    t.strictSame([transfer], claimed)

    const finished = [{ transfer, record: { tx_id: 42, status: 'Completed' } }]
    await Promise.all([outbox.finish(finished), outbox.finish(finished)])
    clock.time += MINUTE
    t.strictSame(await outbox.claimTransfers(10), [])
    const [event, ...others] = await outbox.claim(10)
    t.strictSame(others, [])
    t.equal(event?.eventId, 'msg_id-a_finished')
    t.match(JSON.parse(event?.payload ?? ''), {
      type: 'transfer.finished',
      timestamp: new Date(START + 2 * MINUTE).toISOString(),
      data: { submissionId: 'id-a', txId: 42, kind: 'transfer', record: { status: 'Completed' } }
    })
  })

  test(`${name}: deletes events with their submission, unless they are undelivered`, async t => {
    const { store, outbox, settle, clock } = await newStore(t, kind)
    const forgetAll = async () => {
      while ((await store.forget(0, 100)) > 0) t.pass('deleting')
    }
    await settle(1, { a: 1, b: 2 })
    const a = await claimOne(outbox)
    await outbox.record([delivered(a)])
    await forgetAll()
    t.match(await outbox.backlog(), { pending: 1 })
    clock.time += MINUTE
    await store.applyBlock({ ...block(102), time: clock.time })
    await forgetAll()
    t.equal(await store.find('id-a'), undefined)
    t.match(await outbox.backlog(), { pending: 1 })
    t.strictSame(await outbox.claimTransfers(10), [], 'its event is deleted too')
    const b = await claimOne(outbox)
    t.match(await store.find('id-b'), { status: 'committed' })
    await outbox.record([delivered(b)])
    await forgetAll()
    t.equal(await store.find('id-b'), undefined)
    t.match(await outbox.backlog(), { pending: 0 })
  })

  test(`${name}: makes events due that a wrong clock had postponed too far`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    const DAY = 1440 * MINUTE
    clock.time += 100 * DAY
    await settle(1, { a: 1, b: 2 })
    const a = await claimOne(outbox)
    await outbox.record([delivered(a)])
    clock.time = START
    const claimed = async () => [await outbox.claim(10), await outbox.claimTransfers(10)]
    t.strictSame(await claimed(), [[], []])
    await outbox.correctTimes(101 * DAY)
    t.strictSame(await claimed(), [[], []], 'a valid pause is unchanged')
    await outbox.correctTimes(DAY)
    const due = await outbox.claim(10)
    t.match(due, [{ submissionId: 'id-b', createdAt: START }])
    await outbox.record(due.map(delivered))
    const transfers = await outbox.claimTransfers(10)
    t.strictSame(transfers.map(one => [one.submissionId, one.committedAt - START]).sort(), [
      ['id-a', 0],
      ['id-b', 0]
    ])
  })

  test(`${name}: abandons damaged events, and still claims the other events`, async t => {
    const expected = [...damages, ...(name === 'sqlite' ? [NOT_UTF8] : [])]
    const outcomes = Object.fromEntries(expected.map((_, at) => [`bad-${at}`, at + 1]))
    const updates = expected.map(
      (damage, at) => `UPDATE event SET ${damage} WHERE submission_id = 'id-bad-${at}'`
    )
    const damaged = await damagedStore(t, kind, { ...outcomes, good: 42 }, updates.join(';'))
    const { outbox, store, place, found, reopen } = damaged
    t.strictSame(idsOf(await outbox.claim(2)), ['msg_id-good_committed'], 'behind all the damaged events')
    t.strictSame(
      found.sort(),
      expected.map((damage, at) => `stored event id-bad-${at} is damaged: column ${damage.split(' ')[0]}`)
    )
    t.match(await outbox.backlog(), { pending: 1, abandoned: expected.length })
    await store.close()
    await place.execute('UPDATE event SET due_at = 0')
    const again = await reopen()
    t.strictSame(idsOf(await again.outbox.claim(9)), ['msg_id-good_committed'])
    t.equal(found.length, expected.length, 'each damaged event is reported once')
  })

  test(`${name}: abandons damaged transfers, and still watches the other transfers`, async t => {
    const sql = "UPDATE event SET payload = '{}' WHERE submission_id <> 'id-good'"
    const settled = { bad: 1, worse: 2, good: 42 }
    const { outbox, clock, found } = await damagedStore(t, kind, settled, sql, true)
    t.match(await outbox.claimTransfers(1), [{ submissionId: 'id-good' }])
    clock.time += MINUTE
    t.match(await outbox.claimTransfers(3), [{ submissionId: 'id-good' }])
    t.strictSame(found, [
      'stored event id-bad is damaged: column payload',
      'stored event id-worse is damaged: column payload'
    ])
    t.match(await outbox.backlog(), { pending: 0, abandoned: 2 })
  })
}
