import { transactionHash } from '../../../../services/chain-client/index.ts'
import type { EngineStore } from '../../../../services/submission/store/engine-writes.ts'
import type {
  News,
  SlotResolution,
  SubmissionOutcome,
  SubmissionStore,
  Variant,
  WalletRequest
} from '../../../../services/submission/store/types.ts'
import type { Identity } from '../../../../services/submission/types.ts'
import { durableStores } from '../../../helpers/durable-stores.ts'
import { leadingStore } from '../../../helpers/leading-store.ts'
import { t as root, type Test, test } from '../../../helpers/tap.ts'
import { until } from '../../../helpers/until.ts'
import { createMemoryDatabase, type MemoryDatabase } from '../../../simulation/store/memory-database.ts'

const memory = new Map<string, MemoryDatabase>()
const durable = await durableStores(root)

/** Every implementation of the store. A test names the place, and may open it again. */
const stores: Record<
  string,
  (place: string, now?: () => number) => SubmissionStore | Promise<SubmissionStore>
> = {
  sqlite: durable.sqlite.open,
  postgres: durable.postgres.open,
  memory(place, now) {
    const database = memory.get(place) ?? createMemoryDatabase(now)
    memory.set(place, database)
    return database.open()
  }
}

const signer = {
  address: 'service1wallet',
  chainId: 'chain-1',
  accountNumber: 2n ** 60n,
  nextSequence: 7,
  cursorHeight: 100,
  cursorHash: 'AA',
  probePassed: false
}

function request(name: string, content = name) {
  return {
    submissionId: `id-${name}`,
    identities: [{ kind: 'fee', value: name } as const],
    typeUrl: '/example.Msg',
    message: new TextEncoder().encode(content)
  }
}

const bytesOf = (name: number | string) => new Uint8Array([0, 1, 255, ...Buffer.from(String(name))])
const hashOf = (name: number | string) => transactionHash(bytesOf(name))

function variant(sequence: number, submissionIds: string[], name: number | string = sequence): Variant {
  const bytes = bytesOf(name)
  return { hash: hashOf(name), sequence, bytes, gasLimit: 200_000, feeAmount: 2n ** 70n, submissionIds }
}

function committed(submissionId: string): SubmissionOutcome {
  return { submissionId, status: 'committed', txId: 12, gasUsed: 5, gasWanted: 9, events: [] }
}

for (const [name, create] of Object.entries(stores)) {
  const open = async (place: string, now?: () => number) => leadingStore(await create(place, now))
  const openNew = async (t: Test) => {
    const store = await open(t.testdir())
    t.teardown(() => store.close())
    return store
  }

  test(`${name}: the same identity and content is one submission, other content a conflict`, async t => {
    const store = await openNew(t)
    const [first, again, other] = await store.take([
      request('a'),
      { ...request('a'), submissionId: 'never-used' },
      { ...request('a', 'other content'), submissionId: 'never-used-either' }
    ])
    t.match(first, {
      status: 'created',
      submission: { submissionId: 'id-a', status: 'queued' }
    })
    t.match(again, { status: 'joined', submission: { submissionId: 'id-a' } })
    t.strictSame(other, { status: 'conflict', kind: 'fee' })
    t.strictSame(
      (await store.queued(10)).map(({ submissionId }) => submissionId),
      ['id-a']
    )
    t.equal(await store.find('never-used'), undefined)
  })

  test(`${name}: joining creates nothing`, async t => {
    const store = await openNew(t)
    t.equal(await store.join(request('a')), undefined)
    t.equal(await store.countUnsettled(), 0)
    await store.take([request('a')])
    t.match(await store.join(request('a')), { status: 'joined', submission: { submissionId: 'id-a' } })
    t.strictSame(await store.join(request('a', 'other content')), { status: 'conflict', kind: 'fee' })
    await store.reject('id-a', { code: 1, codespace: 'x', message: 'refused' })
    t.equal(await store.join(request('a')), undefined, 'a refused submission may be submitted again')
  })

  test(`${name}: a message of another type is other content`, async t => {
    const store = await openNew(t)
    await store.take([request('a')])
    t.strictSame(await store.take([{ ...request('a'), submissionId: 'x', typeUrl: '/example.Other' }]), [
      { status: 'conflict', kind: 'fee' }
    ])
  })

  const fee = (value: string) => ({ kind: 'fee', value }) as const
  const key = (value: string) => ({ kind: 'key', value }) as const
  const payment = (value: string) => ({ kind: 'payment', value }) as const

  test(`${name}: each of its identities stands for a submission, and the first that others hold is reported`, async t => {
    const store = await openNew(t)
    const of = (id: string, identities: Identity[], content: string) => ({
      ...request(id, content),
      identities
    })
    await store.take([of('a', [fee('1'), key('k1'), payment('p1')], 'content')])
    const results = await store.take([
      of('b', [fee('1'), key('k2')], 'content'),
      of('c', [fee('2'), key('k1')], 'content'),
      of('d', [fee('1'), key('k1')], 'other'),
      of('e', [fee('3'), key('k1')], 'other'),
      of('f', [fee('3'), payment('p1')], 'other'),
      of('g', [fee('3'), key('p1'), payment('1')], 'other')
    ])
    const joined = { status: 'joined', submission: { submissionId: 'id-a' } }
    t.match(results, [
      joined,
      joined,
      { status: 'conflict', kind: 'fee' },
      { status: 'conflict', kind: 'key' },
      { status: 'conflict', kind: 'payment' },
      { status: 'created', submission: { submissionId: 'id-g' } }
    ])
    t.strictSame(
      (await store.queued(10)).map(({ submissionId }) => submissionId),
      ['id-a', 'id-g']
    )
  })

  test(`${name}: a retry’s other identities are held by the submission that it joins`, async t => {
    const store = await openNew(t)
    const of = (id: string, identities: Identity[], content: string) => ({
      ...request(id, content),
      identities
    })
    await store.take([of('a', [fee('1')], 'content')])
    t.equal(await store.join(of('b', [key('k')], 'other')), undefined)
    await store.join(of('b', [fee('1'), key('k')], 'content'))
    t.equal(await store.join(of('b', [key('k')], 'other')), undefined, 'joining changes nothing')
    await store.take([of('b', [fee('1'), key('k')], 'content')])
    t.strictSame(await store.join(of('b', [key('k')], 'other')), { status: 'conflict', kind: 'key' })
  })

  test(`${name}: a conflict takes no identity`, async t => {
    const store = await openNew(t)
    const of = (id: string, identities: Identity[], content: string) => ({
      ...request(id, content),
      identities
    })
    await store.take([of('a', [fee('1')], 'content'), of('b', [fee('1'), key('k')], 'other')])
    t.match(await store.take([of('c', [fee('2'), key('k')], 'third')]), [{ status: 'created' }])
  })

  test(`${name}: a refused submission hands all of its identities back, each by itself`, async t => {
    const store = await openNew(t)
    const of = (id: string, identities: Identity[], content: string) => ({
      ...request(id, content),
      identities
    })
    await store.take([of('a', [fee('1'), key('k'), payment('p')], 'content')])
    await store.reject('id-a', { code: 1, codespace: 'x', message: 'refused' })
    t.match(
      await store.take([of('b', [fee('2'), key('k')], 'second'), of('c', [fee('1'), payment('p')], 'third')]),
      [{ status: 'created' }, { status: 'created' }]
    )
    t.strictSame(await store.take([of('d', [fee('3'), payment('p')], 'fourth')]), [
      { status: 'conflict', kind: 'payment' }
    ])
  })

  test(`${name}: accepted submissions are there, in order, after the store is closed and opened again`, async t => {
    const place = t.testdir()
    const before = await open(place)
    await before.putSigner(signer)
    await before.take([request('a'), request('b'), request('c')])
    await before.openSlot(variant(7, ['id-a', 'id-b']))
    await before.close()

    const after = await open(place)
    t.teardown(() => after.close())
    t.strictSame(await after.signer(), { ...signer, nextSequence: 8 })
    t.strictSame(await after.openVariants(), [variant(7, ['id-a', 'id-b'])])
    t.match(await after.queued(10), [{ submissionId: 'id-c', typeUrl: '/example.Msg' }])
    t.match(await after.find('id-a'), { status: 'broadcast', transactionHash: hashOf(7) })
    t.equal(await after.countUnsettled(), 3)
  })

  test(`${name}: the oldest unsettled submission is queued, or in an open slot`, async t => {
    let now = 1_000_000
    const store = await open(t.testdir(), () => now)
    t.teardown(() => store.close())
    t.equal(await store.oldestUnsettled(), undefined)
    await store.putSigner(signer)
    await store.take([request('a')])
    now = 2_000_000
    await store.take([request('b')])
    t.equal(await store.oldestUnsettled(), 1_000_000, 'queued')
    await store.openSlot(variant(7, ['id-a']))
    t.equal(await store.oldestUnsettled(), 1_000_000, 'in a slot')
    const outcomes = [committed('id-a')]
    const resolution = { sequence: 7, transactionHash: hashOf(7), origin: 'own', outcomes } as const
    await store.applyBlocks([{ height: 101, hash: 'BB', time: 0, resolutions: [resolution] }])
    t.equal(await store.oldestUnsettled(), 2_000_000, 'the one that is left')
    await store.reject('id-b', { code: 1, codespace: 'x', message: 'refused' })
    t.equal(await store.oldestUnsettled(), undefined)
  })

  test(`${name}: a sequence is used once, and a submission is bound to one slot`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([request('a'), request('b')])
    await t.rejects(store.openSlot(variant(8, ['id-a'])), { name: 'StoreConflictError' })
    await store.openSlot(variant(7, ['id-a']))
    await t.rejects(store.openSlot(variant(7, ['id-b'])), { name: 'StoreConflictError' })
    await t.rejects(store.openSlot(variant(8, ['id-b', 'id-a'])), { name: 'StoreConflictError' })
    t.match(await store.find('id-b'), { status: 'queued' }, 'a refused slot leaves nothing behind')
    t.equal((await store.signer())?.nextSequence, 8)
  })

  test(`${name}: a block settles, requeues, resolves its slot and moves the cursor in one step`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([request('a'), request('b'), request('c')])
    await store.openSlot(variant(7, ['id-a', 'id-b', 'id-c']))
    const error = { code: 5, codespace: 'sdk', message: 'no' }
    const events = [{ type: 'requested', attributes: [{ key: 'txId', value: '12' }] }]
    const outcomes: SubmissionOutcome[] = [
      { submissionId: 'id-a', status: 'committed', txId: 12, gasUsed: 5, gasWanted: 9, events },
      { submissionId: 'id-b', status: 'rejected', error },
      { submissionId: 'id-c', status: 'queued' }
    ]
    const resolution = { sequence: 7, transactionHash: hashOf(7), origin: 'own', outcomes } as const
    const settled = await store.applyBlocks([{ height: 101, hash: 'BB', time: 0, resolutions: [resolution] }])
    t.match(settled, [
      { submissionId: 'id-a', status: 'committed', txId: 12, height: 101, transactionHash: hashOf(7) },
      { submissionId: 'id-b', status: 'rejected', height: 101, error }
    ])
    t.strictSame(settled, [await store.find('id-a'), await store.find('id-b')], 'returned as they are stored')
    t.match(await store.queued(10), [{ submissionId: 'id-c' }])
    t.strictSame(await store.openVariants(), [])
    t.match(await store.signer(), { cursorHeight: 101, cursorHash: 'BB', nextSequence: 8 })
    t.equal(await store.countUnsettled(), 1)
  })

  test(`${name}: a foreign transaction advances the sequence and requeues the slot's submissions`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([request('a')])
    await store.openSlot(variant(7, ['id-a']))
    const foreign = (sequence: number, outcomes: SubmissionOutcome[]) =>
      ({ sequence, transactionHash: `F-${sequence}`, origin: 'foreign', outcomes }) as const
    const resolutions = [foreign(7, [{ submissionId: 'id-a', status: 'queued' }]), foreign(8, [])]
    await store.applyBlocks([{ height: 101, hash: 'BB', time: 0, resolutions }])
    t.match(await store.queued(10), [{ submissionId: 'id-a' }])
    t.equal((await store.signer())?.nextSequence, 9)
  })

  test(`${name}: a block that does not follow, or omits a submission, changes nothing`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([request('a')])
    await store.openSlot(variant(7, ['id-a']))
    const resolution = { sequence: 7, transactionHash: hashOf(7), outcomes: [] }
    const blocks = [
      { height: 102, hash: 'CC', time: 0, resolutions: [] },
      { height: 101, hash: 'BB', time: 0, resolutions: [{ ...resolution, origin: 'own' as const }] },
      { height: 101, hash: 'BB', time: 0, resolutions: [{ ...resolution, origin: 'foreign' as const }] }
    ]
    for (const block of blocks) await t.rejects(store.applyBlocks([block]), { name: 'StoreConflictError' })
    t.match(await store.signer(), { cursorHeight: 100, nextSequence: 8 })
    t.match(await store.find('id-a'), { status: 'broadcast' })
  })

  test(`${name}: our own transaction is not applied as a foreign one`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([request('a')])
    await store.openSlot(variant(7, ['id-a']))
    const outcomes = [{ submissionId: 'id-a', status: 'queued' } as const]
    const resolution = { sequence: 7, transactionHash: hashOf(7), origin: 'foreign', outcomes } as const
    const block = { height: 101, hash: 'BB', time: 0, resolutions: [resolution] }
    await t.rejects(store.applyBlocks([block]), { name: 'StoreConflictError' })
    t.match(await store.find('id-a'), { status: 'broadcast' })
  })

  test(`${name}: the queue is in the order of intake, and open variants in that of the sequences`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take(['c', 'a', 'b', 'd', 'e'].map(id => request(id)))
    t.strictSame(
      (await store.queued(3)).map(({ submissionId }) => submissionId),
      ['id-c', 'id-a', 'id-b']
    )
    await store.openSlot(variant(7, ['id-d']))
    await store.openSlot(variant(8, ['id-a']))
    await store.addVariant(variant(7, ['id-d'], '7b'))
    t.strictSame(
      (await store.openVariants()).map(({ hash }) => hash),
      [hashOf(7), hashOf('7b'), hashOf(8)]
    )
  })

  test(`${name}: several blocks are applied in one step, or none of them`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([request('a')])
    await store.openSlot(variant(7, ['id-a']))
    const empty = (height: number) => ({ height, hash: `B${height}`, time: 0, resolutions: [] })
    const outcomes = [committed('id-a')]
    const resolution = { sequence: 7, transactionHash: hashOf(7), origin: 'own', outcomes } as const
    const last = { ...empty(103), resolutions: [resolution] }
    await t.rejects(store.applyBlocks([empty(101), last]), { name: 'StoreConflictError' })
    t.match(await store.signer(), { cursorHeight: 100 })
    t.match(await store.applyBlocks([empty(101), empty(102), last]), [
      { submissionId: 'id-a', status: 'committed', height: 103 }
    ])
    t.match(await store.signer(), { cursorHeight: 103, cursorHash: 'B103' })
  })

  test(`${name}: a wrong next sequence is corrected while no slot is open`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    const { nextSequence } = signer
    await t.rejects(store.correctSequence(nextSequence + 1, 3), { name: 'StoreConflictError' })
    await store.correctSequence(nextSequence, 3)
    t.match(await store.signer(), { nextSequence: 3 })
    await store.take([request('a')])
    await store.openSlot(variant(3, ['id-a']))
    await t.rejects(store.correctSequence(4, 9), { name: 'StoreConflictError' })
    t.match(await store.signer(), { nextSequence: 4 })
  })

  test(`${name}: that the chain passes the probe is kept`, async t => {
    const place = t.testdir()
    const before = await open(place)
    await before.putSigner(signer)
    t.match(await before.signer(), { probePassed: false })
    await before.setProbePassed()
    await before.close()
    const after = await open(place)
    t.teardown(() => after.close())
    t.strictSame(await after.signer(), { ...signer, probePassed: true })
  })

  test(`${name}: every replica reads the newest report of the leader, and its age`, async t => {
    const store = await openNew(t)
    t.equal(await store.report(), undefined)
    const heard: News[] = []
    store.onNews(news => heard.push(news))
    const since = new Date(0).toISOString()
    const report = {
      blockers: [{ kind: 'insufficient-funds', reason: 'spendable balance', since } as const],
      loops: [{ name: 'follower', sinceSuccessMs: undefined, failingMs: 12_000 }],
      withoutTxId: 1
    }
    await store.putReport({ blockers: [], loops: [], withoutTxId: 0 })
    await store.putReport(report)
    await until(() => heard.filter(({ kind }) => kind === 'reported').length === 2, 'both are announced')
    const { ageMs = -1, ...stored } = (await store.report()) ?? {}
    t.strictSame(stored, report)
    t.ok(ageMs >= 0)
  })

  test(`${name}: the fees of own transactions in blocks are added up for each UTC day`, async t => {
    let now = Date.parse('2026-11-22T23:59:00Z')
    const place = t.testdir()
    const before = await open(place, () => now)
    await before.putSigner(signer)
    await before.take([request('a'), request('b')])
    t.equal(await before.feesPaidToday(), 0n)
    await before.openSlot(variant(7, ['id-a']))
    await before.addVariant({ ...variant(7, ['id-a'], '7b'), feeAmount: 5n })
    await before.openSlot(variant(8, ['id-b']))
    t.equal(await before.feesPaidToday(), 0n, 'not before a block')
    const own: SlotResolution = {
      sequence: 7,
      transactionHash: hashOf(7),
      origin: 'own',
      outcomes: [committed('id-a')]
    }
    const failed: SlotResolution = {
      sequence: 8,
      transactionHash: hashOf(8),
      origin: 'own',
      outcomes: [{ submissionId: 'id-b', status: 'queued' }]
    }
    const foreign: SlotResolution = { sequence: 9, transactionHash: 'OTHER', origin: 'foreign', outcomes: [] }
    await before.applyBlocks([{ height: 101, hash: 'BB', time: now, resolutions: [own, failed, foreign] }])
    t.equal(await before.feesPaidToday(), 2n ** 71n, 'exactly, also of a transaction that failed')
    await before.close()

    const after = await open(place, () => now)
    t.teardown(() => after.close())
    t.equal(await after.feesPaidToday(), 2n ** 71n, 'after a restart')
    now = Date.parse('2026-11-23T00:00:00Z')
    t.equal(await after.feesPaidToday(), 2n ** 71n, 'until a block of the next day, whatever the clock shows')
    await after.openSlot(variant(10, ['id-b']))
    const next = { ...own, sequence: 10, transactionHash: hashOf(10), outcomes: [committed('id-b')] }
    await after.applyBlocks([{ height: 102, hash: 'CC', time: now, resolutions: [next] }])
    t.equal(await after.feesPaidToday(), 2n ** 70n)
  })

  test(`${name}: a call that is repeated with the same ids creates nothing more`, async t => {
    const store = await openNew(t)
    const first = await store.take([request('a'), request('b')])
    t.strictSame(await store.take([request('a'), request('b')]), first)
    await store.reject('id-a', { code: 1, codespace: 'x', message: 'refused' })
    t.match(await store.take([request('a')]), [
      { status: 'created', submission: { submissionId: 'id-a', status: 'rejected' } }
    ])
    t.equal(await store.countUnsettled(), 1)
  })

  test(`${name}: those of some submissions that are settled are found together`, async t => {
    const store = await openNew(t)
    await store.take([request('a'), request('b'), request('c')])
    await store.reject('id-a', { code: 1, codespace: 'x', message: 'refused' })
    await store.reject('id-c', { code: 1, codespace: 'x', message: 'refused' })
    const found = await store.findSettled(['id-b', 'id-a', 'no such id'])
    t.match(found, [{ submissionId: 'id-a', status: 'rejected' }])
    t.strictSame(await store.findSettled([]), [])
  })

  test(`${name}: what is queued and what is settled is announced after it is stored`, async t => {
    const store = await openNew(t)
    const heard: News[] = []
    store.onNews(news => void heard.push(news))
    await store.putSigner(signer)
    await store.take([request('a'), request('b')])
    await store.take([{ ...request('a'), submissionId: 'never-used' }])
    await store.openSlot(variant(7, ['id-a']))
    const resolution = { sequence: 7, transactionHash: hashOf(7), origin: 'own' } as const
    await store.applyBlocks([
      { height: 101, hash: 'BB', time: 0, resolutions: [{ ...resolution, outcomes: [committed('id-a')] }] }
    ])
    await store.applyBlocks([{ height: 102, hash: 'CC', time: 0, resolutions: [] }])
    await store.reject('id-b', { code: 1, codespace: 'x', message: 'refused' })
    await until(() => heard.length >= 3, 'the news of three changes has come')
    t.strictSame(heard, [
      { kind: 'queued' },
      { kind: 'settled', submissionIds: ['id-a'] },
      { kind: 'settled', submissionIds: ['id-b'] }
    ])
  })

  test(`${name}: a term that was resigned writes nothing more, and the next one has a higher epoch`, async t => {
    const store = await create(t.testdir())
    t.teardown(() => store.close())
    const first = await store.lead()
    await first?.store.putSigner(signer)
    await store.take([request('a')])
    t.notOk(first?.ended.aborted)
    await first?.resign()
    t.ok(first?.ended.aborted)
    const second = await store.lead()
    t.ok((second?.epoch ?? 0) > (first?.epoch ?? 0))

    const resolution: SlotResolution = { sequence: 7, transactionHash: 'F', origin: 'foreign', outcomes: [] }
    const writes: ((store: EngineStore) => Promise<unknown>)[] = [
      ({ putSigner }) => putSigner(signer),
      ({ setProbePassed }) => setProbePassed(),
      ({ openSlot }) => openSlot(variant(7, ['id-a'])),
      ({ addVariant }) => addVariant(variant(7, ['id-a'])),
      ({ reject }) => reject('id-a', { code: 1, codespace: 'x', message: 'refused' }),
      ({ applyBlocks }) => applyBlocks([{ height: 101, hash: 'BB', time: 0, resolutions: [resolution] }])
    ]
    for (const write of writes) {
      await t.rejects(async () => first && write(first.store), { name: 'TermEndedError' })
    }
    t.strictSame(await store.signer(), signer)
    t.match(await first?.store.queued(10), [{ submissionId: 'id-a' }], 'it may still read')
    await second?.store.openSlot(variant(7, ['id-a']))
    t.match(await store.find('id-a'), { status: 'broadcast' })
  })

  test(`${name}: a refused submission may be submitted again and keeps its record`, async t => {
    const store = await openNew(t)
    await store.take([request('a')])
    const error = { code: 4, codespace: 'sdk', message: 'unauthorized' }
    t.match(await store.reject('id-a', error), { status: 'rejected', error })
    await t.rejects(store.reject('id-a', error), { name: 'StoreConflictError' })
    const [again] = await store.take([{ ...request('a', 'changed'), submissionId: 'id-a2' }])
    t.match(again, { status: 'created', submission: { submissionId: 'id-a2', status: 'queued' } })
    t.match(await store.find('id-a'), { status: 'rejected', error })
  })

  test(`${name}: a further variant of a slot is stored after the first, and its submissions have its hash`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([request('a')])
    await store.openSlot(variant(7, ['id-a']))
    await store.addVariant(variant(7, ['id-a'], '7b'))
    t.strictSame(
      (await store.openVariants()).map(({ hash }) => hash),
      [hashOf(7), hashOf('7b')]
    )
    t.match(await store.find('id-a'), { transactionHash: hashOf('7b') })
    await t.rejects(store.addVariant(variant(99, ['id-a'])), 'there is no such slot')
  })

  test(`${name}: settled submissions are forgotten after a time, in steps, with the slots they needed`, async t => {
    let now = 1000
    const store = await open(t.testdir(), () => now)
    t.teardown(() => store.close())
    await store.putSigner(signer)
    const names = ['a', 'b', 'c', 'd', 'young', 'bound', 'queued']
    await store.take(names.map(id => request(id)))
    await store.reject('id-d', { code: 4, codespace: 'sdk', message: 'unauthorized' })
    await store.openSlot(variant(7, ['id-a', 'id-b', 'id-c']))
    await store.openSlot(variant(8, ['id-bound']))
    await store.openSlot(variant(9, ['id-young']))
    const resolve = (sequence: number, ids: string[]) => ({
      sequence,
      transactionHash: hashOf(sequence),
      origin: 'own' as const,
      outcomes: ids.map(committed)
    })
    const settle = (height: number, sequence: number, ids: string[]) =>
      store.applyBlocks([{ height, hash: 'BB', time: now, resolutions: [resolve(sequence, ids)] }])
    await settle(101, 7, ['id-a', 'id-b', 'id-c'])
    now = 2000
    await settle(102, 9, ['id-young'])

    const passTo = async (height: number, time: number) => {
      now = time
      await store.applyBlocks([{ height, hash: 'CC', time, resolutions: [] }])
    }
    now = 9000
    t.equal(await store.forget(1000, 10), 0, 'a clock alone makes nothing old')
    await passTo(103, 9000)
    now = 2000
    t.equal(await store.forget(1000, 10), 0, 'nor does the time of blocks alone')
    now = 9000
    t.equal(await store.forget(8000, 10), 0, 'what was settled at that time is not older than it')
    t.equal(await store.forget(7999, 2), 2, 'a step has a limit')
    t.equal(await store.forget(7999, 2), 3, 'the others, and the slot before all that are needed')
    t.equal(await store.forget(7999, 2), 0)
    const found = await Promise.all(names.map(async id => (await store.find(`id-${id}`))?.status))
    t.strictSame(found, [undefined, undefined, undefined, undefined, 'committed', 'broadcast', 'queued'])

    t.equal(await store.forget(0, 10), 1, 'slots after an open one stay')
    t.match(await store.openVariants(), [{ sequence: 8 }])
    await settle(104, 8, ['id-bound'])
    await passTo(105, 9001)
    t.equal(await store.forget(0, 10), 3, 'a submission and two slots')
    t.match(await store.signer(), { nextSequence: 10, cursorHeight: 105 })
    await store.openSlot(variant(10, ['id-queued']))
    t.match(await store.take([{ ...request('a', 'changed'), submissionId: 'id-a2' }]), [
      { status: 'created' }
    ])
  })

  /** A request that a transaction has executed which the store has not signed. */
  const executed = (name: string, content = name, identities: Identity[] = [fee(name)]): WalletRequest => {
    const { typeUrl, message } = request(name, content)
    const execution = {
      submissionId: `new-${name}`,
      status: 'committed' as const,
      txId: 5,
      gasUsed: 1,
      gasWanted: 2,
      events: []
    }
    return { identities, typeUrl, message, execution, transactionHash: 'ELSEWHERE', height: 101 }
  }
  const refused = (name: string): WalletRequest => ({
    ...executed(name),
    execution: {
      submissionId: `new-${name}`,
      status: 'rejected',
      error: { code: 7, codespace: 'x', message: 'no' }
    }
  })
  const adopting = (...adoptions: WalletRequest[]) => [
    { height: 101, hash: 'BB', time: 0, resolutions: [], adoptions }
  ]
  const place = { transactionHash: 'ELSEWHERE', height: 101 }

  test(`${name}: what a block has executed elsewhere is adopted: a queued copy is settled, and a retry joins`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([request('a'), request('b'), request('c', 'old')])
    const settled = await store.applyBlocks(
      adopting(executed('a'), refused('b'), executed('c', 'new'), executed('unknown'), refused('never'))
    )
    t.strictSame(settled.map(({ submissionId, status }) => [submissionId, status]).sort(), [
      ['id-a', 'committed'],
      ['id-b', 'rejected'],
      ['id-c', 'rejected']
    ])
    t.match(await store.find('id-a'), { status: 'committed', txId: 5, gasUsed: 1, gasWanted: 2, ...place })
    t.match(await store.find('id-b'), { status: 'rejected', error: { code: 7 }, ...place })
    t.match(await store.find('id-c'), { status: 'rejected', error: { code: 1, codespace: 'service' } })
    t.match(await store.join(request('c', 'new')), {
      submission: { submissionId: 'new-c', status: 'committed' }
    })
    t.strictSame(await store.join(request('c', 'old')), { status: 'conflict', kind: 'fee' })
    t.match(await store.join(request('unknown')), { submission: { status: 'committed', txId: 5, ...place } })
    t.equal(await store.join(request('b')), undefined, 'a refused one may be submitted again')
    t.equal(await store.join(request('never')), undefined)
    t.equal(await store.countUnsettled(), 0)
    t.strictSame(await store.adopt([executed('a'), executed('unknown')]), [], 'once is enough')
  })

  test(`${name}: what is executed elsewhere leaves its open slot, and the slot is resolved without it`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([request('a'), request('b')])
    await store.openSlot(variant(7, ['id-a', 'id-b']))
    await store.applyBlocks(adopting(refused('b'), executed('a', 'a', [fee('a'), payment('p')])))
    t.match(await store.find('id-a'), { status: 'committed', ...place })
    t.match(await store.find('id-b'), { status: 'broadcast' }, 'its slot may still execute it')
    t.match(await store.openVariants(), [{ submissionIds: ['', 'id-b'] }])
    const resolution = {
      sequence: 7,
      transactionHash: hashOf(7),
      origin: 'own' as const,
      outcomes: [committed('id-b')]
    }
    await store.applyBlocks([{ height: 102, hash: 'CC', time: 0, resolutions: [resolution] }])
    t.match(await store.find('id-a'), { status: 'committed', ...place })
    t.match(await store.find('id-b'), { status: 'committed', transactionHash: hashOf(7) })
  })

  test(`${name}: a payment that was executed elsewhere refuses a queued submission with another feeId`, async t => {
    const store = await openNew(t)
    await store.putSigner(signer)
    await store.take([{ ...request('a'), identities: [fee('a'), payment('p')] }])
    await store.adopt([executed('b', 'b', [fee('b'), payment('p')])])
    t.match(await store.find('id-a'), { status: 'rejected', error: { codespace: 'service' } })
    t.match(await store.join({ ...request('b'), identities: [payment('p')] }), {
      submission: { submissionId: 'new-b' }
    })
    t.match(await store.take([request('a')]), [{ status: 'created' }], 'its feeId is free')
  })

  test(`${name}: an identity stays with the newer submission when the refused one is forgotten`, async t => {
    let now = 1000
    const store = await open(t.testdir(), () => now)
    t.teardown(() => store.close())
    await store.putSigner(signer)
    await store.take([request('a')])
    await store.reject('id-a', { code: 4, codespace: 'sdk', message: 'unauthorized' })
    await store.applyBlocks([{ height: 101, hash: 'BB', time: now, resolutions: [] }])
    now = 2000
    await store.take([{ ...request('a'), submissionId: 'id-a2' }])
    await store.applyBlocks([{ height: 102, hash: 'CC', time: now, resolutions: [] }])
    t.equal(await store.forget(999, 10), 1)
    t.match(await store.take([{ ...request('a'), submissionId: 'id-a3' }]), [
      { status: 'joined', submission: { submissionId: 'id-a2' } }
    ])
  })
}
