import { createMessageTypes } from '../../../../services/messages/index.ts'
import type { Delivery, OutboxEvent } from '../../../../services/submission/store/outbox.ts'
import type { DamageObserver } from '../../../../services/submission/store/rows.ts'
import type {
  BlockOutcome,
  SignedTx,
  SubmissionOutcome
} from '../../../../services/submission/store/types.ts'
import { viewOf } from '../../../../services/submission/view.ts'
import { durableStores, type StoreKind } from '../../../helpers/durable-stores.ts'
import { leadingStore } from '../../../helpers/leading-store.ts'
import { t as root, type Test, test } from '../../../helpers/tap.ts'

const durable = await durableStores(root)
const { requestTransaction } = createMessageTypes('acme')

const WALLET_STATE = {
  address: 'service1wallet',
  chainId: 'chain-1',
  accountNumber: 1n,
  nextSequence: 1,
  cursorHeight: 100,
  cursorHash: 'AA',
  canaryPassed: false
}
const REFUSAL = { code: 5, codespace: 'x', message: 'refused' }
const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

function request(name: string) {
  const { typeUrl, encode, fromPartial } = requestTransaction
  const message = encode(
    fromPartial({ originChain: 'ETH', options: JSON.stringify({ feeId: name }) })
  ).finish()
  return { submissionId: `id-${name}`, identities: [{ kind: 'fee', value: name } as const], typeUrl, message }
}

function signedTx(sequence: number, submissionIds: string[]): SignedTx {
  return {
    hash: `HASH-${sequence}`,
    sequence,
    bytes: Buffer.of(1),
    gasLimit: 9,
    feeAmount: 1n,
    submissionIds
  }
}

/** Only SQLite stores such a string; libsql ends the process when it reads it. */
const NOT_UTF8 = "payload = CAST(x'ff' AS TEXT)"

/** Damages to a row: values that no server has written. */
const damages = [
  "payload = ''",
  "payload = '{'",
  `payload = '{"data":{}}'`,
  'created_at = -1',
  'attempts = -1',
  'attempts = -7',
  'redeliveries = -1'
]

const committed = (submissionId: string, txId?: number): SubmissionOutcome => ({
  submissionId,
  status: 'committed',
  txId,
  gasUsed: 1,
  gasWanted: 2,
  events: []
})

/** The block that consumes a slot. */
function blockOf(sequence: number, outcomes: SubmissionOutcome[]): BlockOutcome {
  const resolution = { sequence, transactionHash: `HASH-${sequence}`, origin: 'own' as const, outcomes }
  return { height: 100 + sequence, hash: 'BB', time: START, resolutions: [resolution] }
}

async function openIn(
  t: Test,
  kind: StoreKind,
  place: string,
  now?: () => number,
  onDamage?: DamageObserver
) {
  const opened = await kind.openWithOutbox(place, now, onDamage)
  t.teardown(() => opened.close())
  const { outbox } = opened
  const store = await leadingStore(opened)

  /** Settles submissions in a new slot; a number commits its submission with that transaction id. */
  async function settle(
    sequence: number,
    names: Record<string, number | 'rejected' | undefined>
  ): Promise<void> {
    await store.take(Object.keys(names).map(request))
    const outcomes = Object.entries(names).map(
      ([name, result]): SubmissionOutcome =>
        result === 'rejected'
          ? { submissionId: `id-${name}`, status: 'rejected', error: REFUSAL }
          : committed(`id-${name}`, result)
    )
    await store.openSlot(
      signedTx(
        sequence,
        outcomes.map(({ submissionId }) => submissionId)
      )
    )
    await store.applyBlock(blockOf(sequence, outcomes))
  }

  return { store, outbox, settle }
}

/** A new store with webhooks, on a clock that the test moves. */
async function newStore(t: Test, kind: StoreKind) {
  const clock = { time: START }
  const opened = await openIn(t, kind, t.testdir(), () => clock.time)
  await opened.store.putWalletState(WALLET_STATE)
  return { ...opened, clock }
}

const idsOf = (events: readonly OutboxEvent[]) => events.map(({ eventId }) => eventId)
const delivered = (event: OutboxEvent): Delivery => ({ ...event, outcome: 'delivered' })

for (const [name, kind] of Object.entries(durable)) {
  test(`${name}: what settles a submission writes its event`, async t => {
    const { store, outbox, settle } = await newStore(t, kind)
    await settle(1, { a: 42, b: 'rejected', c: undefined })
    await store.take([request('d')])
    await store.reject('id-d', REFUSAL)
    const events = await outbox.claim(10)
    t.strictSame(idsOf(events), [
      'msg_id-a_committed',
      'msg_id-b_rejected',
      'msg_id-c_committed',
      'msg_id-d_rejected'
    ])
    for (const { submissionId, payload, createdAt, attempts } of events) {
      const { timestamp, data } = JSON.parse(payload)
      const stored = await store.find(submissionId)
      const {
        gasUsed,
        gasWanted,
        events: chainEvents,
        ...state
      }: Record<string, unknown> = {
        ...(stored && viewOf(stored))
      }
      t.strictSame(data.submission, state)
      t.equal(`id-${data.request.feeId}`, submissionId)
      t.strictSame([timestamp, createdAt, attempts], [new Date(START).toISOString(), START, 1])
    }
  })

  test(`${name}: without webhooks no event is written, also when they are switched on later`, async t => {
    const place = t.testdir()
    const without = await leadingStore(await kind.open(place))
    await without.putWalletState(WALLET_STATE)
    await without.take([request('a'), request('b')])
    await without.openSlot(signedTx(1, ['id-a']))
    await without.applyBlock(blockOf(1, [committed('id-a', 1)]))
    await without.close()
    const { outbox, store } = await openIn(t, kind, place)
    t.strictSame(await outbox.claim(10), [])
    await store.reject('id-b', REFUSAL)
    t.strictSame(idsOf(await outbox.claim(10)), ['msg_id-b_rejected'])
  })

  test(`${name}: a block that is applied again, or refused, writes no event`, async t => {
    const { store, outbox, settle } = await newStore(t, kind)
    await settle(1, { a: 1 })
    await t.rejects(store.applyBlock(blockOf(1, [committed('id-a', 1)])), { name: 'StoreConflictError' })
    await store.take([request('b'), request('c')])
    await store.openSlot(signedTx(2, ['id-b', 'id-c']))
    await t.rejects(store.applyBlock(blockOf(2, [committed('id-b', 2)])), { name: 'StoreConflictError' })
    t.match(await outbox.backlog(), { pending: 1 })
    await store.applyBlock(blockOf(2, [committed('id-b', 2), committed('id-c', 3)]))
    t.match(await outbox.backlog(), { pending: 3 })
  })

  test(`${name}: a submission that is queued again has no event`, async t => {
    const { store, outbox } = await newStore(t, kind)
    await store.take([request('a')])
    await store.openSlot(signedTx(1, ['id-a']))
    await store.applyBlock(blockOf(1, [{ submissionId: 'id-a', status: 'queued' }]))
    t.strictSame(await outbox.claim(10), [])
  })

  test(`${name}: a claimed event is reserved, and due again when its claimant is silent`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    await settle(1, { a: 1, b: 2, c: 3 })
    t.strictSame(idsOf(await outbox.claim(2)), ['msg_id-a_committed', 'msg_id-b_committed'])
    t.strictSame(idsOf(await outbox.claim(2)), ['msg_id-c_committed'])
    t.strictSame(await outbox.claim(2), [])
    clock.time += MINUTE
    const again = await outbox.claim(10)
    t.strictSame(
      again.map(({ eventId, attempts }) => [eventId, attempts]),
      [
        ['msg_id-a_committed', 2],
        ['msg_id-b_committed', 2],
        ['msg_id-c_committed', 2]
      ]
    )
  })

  test(`${name}: a postponed event is due later, and only its newest claim postpones it`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    await settle(1, { a: 1 })
    const [first] = await outbox.claim(1)
    if (first === undefined) throw new Error('nothing was claimed')
    clock.time += MINUTE
    const [second] = await outbox.claim(1)
    if (second === undefined) throw new Error('nothing was claimed')
    const postponed = { outcome: 'postponed', delayMs: 10 * MINUTE, problem: 'HTTP 503' } as const
    await outbox.record([{ ...delivered(second), ...postponed }])
    await outbox.record([{ ...delivered(first), outcome: 'given-up', problem: 'late' }])
    t.match(await outbox.backlog(), { pending: 1, givenUp: 0 })
    clock.time += 10 * MINUTE - 1
    t.strictSame(await outbox.claim(1), [])
    clock.time += 1
    t.match(await outbox.claim(1), [{ eventId: first.eventId, attempts: 3, payload: first.payload }])
    await outbox.record([delivered(first)])
    t.match(await outbox.backlog(), { pending: 0 }, 'a delivery counts, however late it is reported')
  })

  test(`${name}: delivered events, and those given up, are not claimed again`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    await settle(1, { a: 1, b: 2, c: 3 })
    t.strictSame(await outbox.backlog(), { pending: 3, oldestPendingAt: START, givenUp: 0, watched: 0 })
    const [a, b] = await outbox.claim(2)
    if (a === undefined || b === undefined) throw new Error('nothing was claimed')
    const deliveries: Delivery[] = [
      delivered(a),
      { ...delivered(b), outcome: 'given-up', problem: 'HTTP 410' }
    ]
    await outbox.record(deliveries)
    await outbox.record(deliveries)
    clock.time += MINUTE
    t.strictSame(idsOf(await outbox.claim(10)), ['msg_id-c_committed'])
    t.strictSame(await outbox.backlog(), { pending: 1, oldestPendingAt: START, givenUp: 1, watched: 2 })
  })

  test(`${name}: a transfer is watched once its first event is out, until it is final`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    await settle(1, { a: 42, b: undefined, c: 'rejected' })
    t.strictSame(await outbox.claimTransfers(10), [], 'their own events would have to wait')
    const committedEvents = await outbox.claim(10)
    await outbox.record(committedEvents.map(delivered))
    const claimed = await outbox.claimTransfers(10)
    t.match(claimed, [
      { submissionId: 'id-a', txId: 42, kind: 'transfer', request: { feeId: 'a' }, committedAt: START }
    ])
    t.strictSame(await outbox.claimTransfers(10), [], 'reserved')
    await outbox.postponeTransfers(['id-a'], 2 * MINUTE)
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
      data: { submissionId: 'id-a', txId: 42, kind: 'transfer', record: { status: 'Completed' } }
    })
  })

  test(`${name}: a transfer whose first event was given up is watched too`, async t => {
    const { outbox, settle } = await newStore(t, kind)
    await settle(1, { a: 42 })
    const [event] = await outbox.claim(1)
    if (event === undefined) throw new Error('nothing was claimed')
    await outbox.record([{ ...delivered(event), outcome: 'given-up', problem: 'HTTP 410' }])
    t.match(await outbox.claimTransfers(10), [{ submissionId: 'id-a' }])
  })

  test(`${name}: events and watched transfers survive a restart`, async t => {
    const place = t.testdir()
    const first = await openIn(t, kind, place)
    await first.store.putWalletState(WALLET_STATE)
    await first.settle(1, { a: 1 })
    await first.outbox.record((await first.outbox.claim(1)).map(delivered))
    await first.settle(2, { b: 2 })
    await first.store.close()
    const second = await openIn(t, kind, place)
    t.strictSame(idsOf(await second.outbox.claim(10)), ['msg_id-b_committed'])
    t.match(await second.outbox.claimTransfers(10), [{ submissionId: 'id-a' }])
  })

  test(`${name}: retention deletes events with their submission, which stays until they are delivered`, async t => {
    const { store, outbox, settle, clock } = await newStore(t, kind)
    const forgetAll = async () => {
      while ((await store.forget(0, 100)) > 0) t.pass('deleting')
    }
    await settle(1, { a: 1, b: 2 })
    const [a] = await outbox.claim(1)
    if (a === undefined) throw new Error('nothing was claimed')
    await outbox.record([delivered(a)])
    await forgetAll()
    t.match(await outbox.backlog(), { pending: 1, watched: 1 })
    clock.time += MINUTE
    await store.applyBlock({ height: 102, hash: 'CC', time: clock.time, resolutions: [] })
    await forgetAll()
    t.equal(await store.find('id-a'), undefined)
    t.match(await outbox.backlog(), { pending: 1, watched: 0 })
    const [b] = await outbox.claim(10)
    if (b === undefined) throw new Error('nothing was claimed')
    t.match(await store.find('id-b'), { status: 'committed' })
    await outbox.record([delivered(b)])
    await forgetAll()
    t.equal(await store.find('id-b'), undefined)
    t.match(await outbox.backlog(), { pending: 0, watched: 0 })
  })

  test(`${name}: what a clock that was wrong has put off for longer than any pause is due`, async t => {
    const { outbox, settle, clock } = await newStore(t, kind)
    const DAY = 1440 * MINUTE
    clock.time += 100 * DAY
    await settle(1, { a: 1, b: 2 })
    const [a] = await outbox.claim(1)
    if (a === undefined) throw new Error('nothing was claimed')
    await outbox.record([delivered(a)])
    clock.time = START
    t.strictSame([await outbox.claim(10), await outbox.claimTransfers(10)], [[], []])
    await outbox.correctTimes(101 * DAY)
    t.strictSame([await outbox.claim(10), await outbox.claimTransfers(10)], [[], []], 'a pause is left alone')
    await outbox.correctTimes(DAY)
    const due = await outbox.claim(10)
    t.match(due, [{ submissionId: 'id-b', createdAt: START }])
    await outbox.record(due.map(delivered))
    t.match((await outbox.claimTransfers(10)).map(({ submissionId }) => submissionId).sort(), [
      'id-a',
      'id-b'
    ])
  })

  for (const damage of [...damages, ...(name === 'sqlite' ? [NOT_UTF8] : [])]) {
    test(`${name}: an event is given up where ${damage}, and the others are claimed`, async t => {
      const place = t.testdir()
      const first = await openIn(t, kind, place)
      await first.store.putWalletState(WALLET_STATE)
      const names = Array.from({ length: 9 }, (_, at) => `bad-${at}`)
      const outcomes = Object.fromEntries(names.map((name, at) => [name, at + 1]))
      await first.settle(1, { ...outcomes, good: 42 })
      await first.store.close()
      await kind.execute(place, `UPDATE event SET ${damage} WHERE submission_id LIKE 'id-bad%'`)

      const found: string[] = []
      const { outbox, store } = await openIn(t, kind, place, Date.now, ({ message }) => found.push(message))
      t.strictSame(idsOf(await outbox.claim(2)), ['msg_id-good_committed'], 'however many come before it')
      const [column = ''] = damage.split(' ')
      const expected = names.map(name => `stored event id-${name} is damaged: column ${column}`)
      t.strictSame(found, expected)
      t.match(await outbox.backlog(), { pending: 1, givenUp: 9 })
      await store.close()
      await kind.execute(place, 'UPDATE event SET due_at = 0')
      const again = await openIn(t, kind, place, Date.now, ({ message }) => found.push(message))
      t.strictSame(idsOf(await again.outbox.claim(9)), ['msg_id-good_committed'])
      t.equal(found.length, 9, 'each is told of once')
    })
  }

  test(`${name}: an event whose number of attempts cannot be counted on keeps no other from being claimed`, async t => {
    const place = t.testdir()
    const first = await openIn(t, kind, place)
    await first.store.putWalletState(WALLET_STATE)
    await first.settle(1, { bad: 1, good: 42 })
    await first.store.close()
    const most = name === 'sqlite' ? '9223372036854775807' : '2147483647'
    await kind.execute(place, `UPDATE event SET attempts = ${most} WHERE submission_id = 'id-bad'`)
    const { outbox } = await openIn(t, kind, place)
    t.strictSame(idsOf(await outbox.claim(9)), ['msg_id-bad_committed', 'msg_id-good_committed'])
  })

  test(`${name}: a damaged transfer is given up, and the others are watched`, async t => {
    const place = t.testdir()
    const first = await openIn(t, kind, place)
    await first.store.putWalletState(WALLET_STATE)
    await first.settle(1, { bad: 1, worse: 2, good: 42 })
    await first.outbox.record((await first.outbox.claim(3)).map(delivered))
    await first.store.close()
    await kind.execute(place, "UPDATE event SET payload = '{}' WHERE submission_id <> 'id-good'")
    const found: string[] = []
    const clock = { time: Date.now() }
    const onDamage = ({ message }: Error) => found.push(message)
    const { outbox } = await openIn(t, kind, place, () => clock.time, onDamage)
    t.match(await outbox.claimTransfers(1), [{ submissionId: 'id-good' }])
    clock.time += MINUTE
    t.match(await outbox.claimTransfers(3), [{ submissionId: 'id-good' }])
    t.strictSame(found, [
      'stored event id-bad is damaged: column payload',
      'stored event id-worse is damaged: column payload'
    ])
    t.match(await outbox.backlog(), { pending: 0, givenUp: 2 })
  })
}
