import { createMessageTypes } from '../../../../services/messages/index.ts'
import type { BlockOutcome, SubmissionOutcome } from '../../../../services/submission/contract.ts'
import type { Delivery, Outbox, OutboxEvent, Webhooks } from '../../../../services/submission/store/outbox.ts'
import { durableStores, eachStore, leadingStore, type StorePlace } from '../../../helpers/durable-stores.ts'
import { type Test, test } from '../../../helpers/tap.ts'
import {
  block,
  committed,
  consumed,
  request as ofStore,
  REFUSAL,
  signed,
  WALLET_STATE
} from '../store-data.ts'

const { requestTransaction } = createMessageTypes('acme')

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

const FIRST = { ...WALLET_STATE, nextSequence: 1 }

function request(name: string) {
  const { typeUrl, encode, fromPartial } = requestTransaction
  const options = JSON.stringify({ feeId: name })
  return { ...ofStore(name), typeUrl, message: encode(fromPartial({ originChain: 'ETH', options })).finish() }
}

/** Column values that a server never writes, of events that are not delivered yet. */
const counts = ['created_at', 'attempts', 'redeliveries'].map(column => `${column} = -1`)
const damages = ["payload = '{'", `payload = '{"data":{}}'`, ...counts]

/** Only SQLite can store invalid UTF-8. Reading it as text makes libsql abort the process. */
const NOT_UTF8 = "payload = CAST(x'ff' AS TEXT)"

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

async function newStore(t: Test, place: StorePlace) {
  const clock = { time: START }
  const opened = await openIn(t, place, () => clock.time)
  await opened.store.putWalletState(FIRST)
  return { ...opened, clock }
}

async function claimOne(outbox: Outbox): Promise<OutboxEvent> {
  const [event] = await outbox.claim(1)
  if (event === undefined) throw new Error('nothing was claimed')
  return event
}

const idsOf = (events: readonly OutboxEvent[]) => events.map(({ eventId }) => eventId)
const delivered = (event: OutboxEvent): Delivery => ({ ...event, outcome: 'delivered' })

await eachStore('a requeued submission, or one settled before webhooks, has no event', async (t, place) => {
  const without = await leadingStore(await place.open(WALLET_STATE.address))
  await without.putWalletState(FIRST)
  await without.take([request('a'), request('b')])
  await without.openSlot(signed(1, ['id-a']))
  await without.applyBlock(blockOf(1, [committed('id-a', 1)]))
  await without.close()
  const { outbox, store } = await openIn(t, place)
  await store.openSlot(signed(2, ['id-b']))
  await store.applyBlock(blockOf(2, [{ submissionId: 'id-b', status: 'queued' }]))
  t.strictSame(await outbox.claim(10), [])
  await store.reject('id-b', REFUSAL)
  t.strictSame(idsOf(await outbox.claim(10)), ['msg_id-b_rejected'])
})

await eachStore('reserves an event for a minute, and ignores failures of older claims', async (t, place) => {
  const { outbox, settle, clock } = await newStore(t, place)
  await settle(1, { a: 1 })
  const first = await claimOne(outbox)
  clock.time += MINUTE - 1
  t.strictSame(await outbox.claim(1), [])
  clock.time += 1
  const second = await claimOne(outbox)
  const postponed = { outcome: 'postponed', delayMs: 10 * MINUTE, problem: 'HTTP 503' } as const
  await outbox.record([{ ...delivered(second), ...postponed }])
  await outbox.record([{ ...delivered(first), outcome: 'abandoned', problem: 'late' }])
  t.strictSame(await outbox.backlog(), { pending: 1, oldestPendingAt: START, abandoned: 0 })
  clock.time += 10 * MINUTE - 1
  t.strictSame(await outbox.claim(1), [])
  clock.time += 1
  t.match(await outbox.claim(1), [{ eventId: first.eventId, attempts: 3, payload: first.payload }])
  await outbox.record([delivered(first)])
  t.match(await outbox.backlog(), { pending: 0 }, 'a late report of a delivery still counts')
})

await eachStore('watches a transfer from its first delivered event to its final state', async (t, place) => {
  const { outbox, settle, clock } = await newStore(t, place)
  await settle(1, { a: 42, b: undefined, c: 'rejected' })
  t.strictSame(await outbox.claimTransfers(10), [], 'the committed events are not delivered yet')
  const committedEvents = await outbox.claim(10)
  await outbox.record(committedEvents.map(delivered))
  const claimed = await outbox.claimTransfers(10)
  const watched = { submissionId: 'id-a', txId: 42, kind: 'transfer', request: { feeId: 'a' } }
  t.match(claimed, [{ ...watched, committedAt: START }])
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
  const timestamp = new Date(START + 2 * MINUTE).toISOString()
  const data = { submissionId: 'id-a', txId: 42, kind: 'transfer', record: { status: 'Completed' } }
  t.match(JSON.parse(event?.payload ?? ''), { type: 'transfer.finished', timestamp, data })
})

await eachStore('deletes events with their submission, unless they are undelivered', async (t, place) => {
  const { store, outbox, settle, clock } = await newStore(t, place)
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

await eachStore('makes events due that a wrong clock had postponed too far', async (t, place) => {
  const { outbox, settle, clock } = await newStore(t, place)
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
  const found = transfers.map(one => `${one.submissionId} ${one.committedAt - START}`)
  t.strictSame(found.sort(), ['id-a 0', 'id-b 0'])
})

await eachStore('abandons damaged events and transfers, and still returns the others', async (t, place) => {
  const expected = [...damages, ...(place.kind === 'sqlite' ? [NOT_UTF8] : [])]
  const { store, outbox, settle } = await openIn(t, place, () => START)
  await store.putWalletState(FIRST)
  const bad = Object.fromEntries(expected.map((_, at) => [`bad-${at}`, at + 1]))
  await settle(1, { ...bad, good: 42, 'bad-transfer': 43, transfer: 44 })
  const events = await outbox.claim(99)
  await outbox.record(events.filter(({ submissionId }) => /transfer/.test(submissionId)).map(delivered))
  await store.close()
  const damage = (change: string, of: string) =>
    `UPDATE event SET ${change} WHERE submission_id = 'id-bad-${of}'`
  const all = expected.map((change, at) => damage(change, `${at}`))
  await place.execute([...all, damage("payload = '{}'", 'transfer')].join(';'))

  const found: string[] = []
  const onDamage = ({ message }: Error) => void found.push(message)
  const { outbox: again } = await openIn(t, place, Date.now, { onDamage })
  t.strictSame(idsOf(await again.claim(2)), ['msg_id-good_committed'], 'behind all the damaged events')
  const transfers = (await again.claimTransfers(99)).map(({ submissionId }) => submissionId)
  t.ok(transfers.includes('id-transfer') && !transfers.includes('id-bad-transfer'))
  const columns = expected.map((change, at) => `id-bad-${at} is damaged: column ${change.split(' ')[0]}`)
  const damaged = [...columns, 'id-bad-transfer is damaged: column payload']
  const reports = damaged.map(each => `stored event ${each}`)
  t.strictSame(found.sort(), reports)
  t.match(await again.backlog(), { pending: 1, abandoned: reports.length })
})

test('postgres: never hands the same event to two replicas that claim concurrently', async t => {
  const place = await (await durableStores()).postgres.newPlace(t)
  const { outbox: one, settle } = await newStore(t, place)
  const { outbox: other, close } = await place.openWithOutbox(WALLET_STATE.address, () => START)
  t.teardown(() => close())
  await settle(1, Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`n${at}`, at + 1])))
  async function deliverAll(outbox: Outbox): Promise<string[]> {
    const events = await outbox.claim(7)
    await outbox.record(events.map(delivered))
    return events.length > 0 ? [...idsOf(events), ...(await deliverAll(outbox))] : []
  }
  const claimed = (await Promise.all([one, other, one, other].map(deliverAll))).flat()
  t.strictSame([claimed.length, new Set(claimed).size], [60, 60])
  t.match(await one.backlog(), { pending: 0 })
})
