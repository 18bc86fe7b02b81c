import type {
  ComparableStore,
  EngineStore,
  Identity,
  Notification,
  Place,
  SubmissionOutcome,
  SubmissionPage,
  Term,
  WalletRequest
} from '../../../../services/submission/contract.ts'
import { durableStores, leadingStore, type StorePlace } from '../../../helpers/durable-stores.ts'
import { type Test, test } from '../../../helpers/tap.ts'
import { until } from '../../../helpers/until.ts'
import {
  block,
  committed,
  consumed,
  fee,
  hashOf,
  listingFilters,
  REFUSAL,
  request,
  signed,
  WALLET_STATE
} from '../store-data.ts'

const key = (value: string): Identity => ({ kind: 'key', value })
const payment = (value: string, target = 'home'): Identity => ({ kind: 'payment', value, target })

/** Builds a request that was executed by a transaction the store did not sign. */
function executed(name: string, content = name, identities = [fee(name)]): WalletRequest {
  return { ...request(name, content, identities), execution: committed(`new-${name}`, 5), ...ELSEWHERE }
}

const refused = (name: string, identities = [fee(name)]): WalletRequest => ({
  ...executed(name, name, identities),
  execution: { submissionId: `new-${name}`, status: 'rejected', error: { ...REFUSAL, code: 7 } }
})

const OWNER = WALLET_STATE.address

const order = (one: Place, other: Place) =>
  one.createdAt - other.createdAt || (one.submissionId < other.submissionId ? -1 : 1)

const ELSEWHERE = { transactionHash: 'ELSEWHERE', height: 101 }

for (const [name, { newPlace }] of Object.entries(await durableStores())) {
  const open = async (place: StorePlace, now?: () => number) => leadingStore(await place.open(OWNER, now))

  async function openNew(t: Test, names: string[] = [], now?: () => number) {
    const store = await open(await newPlace(t), now)
    t.teardown(() => store.close())
    await store.putWalletState(WALLET_STATE)
    await store.take(names.map(one => request(one)))
    /** Applies a block that consumes a slot; an id stands for its commit. */
    function consume(height: number, sequence: number, results: (string | SubmissionOutcome)[], time = 0) {
      const outcomes = results.map(one => (typeof one === 'string' ? committed(one) : one))
      return store.applyBlock({ ...block(height, consumed(sequence, outcomes)), time })
    }
    return {
      ...store,
      consume,
      /** Executes submissions in a new slot. */
      async execute(height: number, sequence: number, outcomes: SubmissionOutcome[], time = 0) {
        const ids = outcomes.map(({ submissionId }) => submissionId)
        await store.openSlot(signed(sequence, ids))
        return consume(height, sequence, outcomes, time)
      },
      pass: (height: number, time: number) => store.applyBlock({ ...block(height), time }),
      idsInQueue: async () => (await store.queued(10)).map(({ submissionId }) => submissionId)
    }
  }

  test(`${name}: returns the submission with the same identity unless content differs`, async t => {
    const store = await openNew(t)
    t.equal(await store.join(request('a')), undefined)
    const conflict = { status: 'conflict', kind: 'fee' }
    const joined = { status: 'joined', submission: { submissionId: 'id-a' } }
    const again = { ...request('a'), submissionId: 'never-used' }
    const created = { status: 'created', submission: { submissionId: 'id-a', status: 'queued' } }
    const other = { ...request('a', 'other'), submissionId: 'x' }
    const first = await store.take([request('a'), again, other])
    t.match(first, [created, joined, conflict])
    t.strictSame(await store.take([request('a')]), first.slice(0, 1), 'a call is repeated with the same id')
    const anonymous = request('b', 'no identity', [])
    for (const _twice of [1, 2]) await store.take([anonymous])
    t.strictSame(await store.take([{ ...again, typeUrl: '/example.Other' }]), [conflict])
    t.match(await store.join(request('a')), joined)
    t.strictSame(await store.join(request('a', 'other')), conflict)
    t.strictSame(await store.idsInQueue(), ['id-a', 'id-b'])
    t.equal(await store.find('never-used'), undefined)
    await store.reject('id-a', REFUSAL)
    await t.rejects(store.reject('id-a', REFUSAL), { name: 'StoreConflictError' })
    t.match(await store.find('id-a'), { status: 'rejected', error: REFUSAL })
    t.match(await store.take([request('a')]), [{ status: 'created', submission: { status: 'rejected' } }])
    t.equal(await store.join(request('a')), undefined, 'a rejected submission can be resubmitted')
  })

  test(`${name}: lists each matching submission once across pages, newest first`, async t => {
    const accepted = Array.from('tonsfrmgeqlhdpkciaj', (letter, index) => ({
      submissionId: `id-${letter}`,
      createdAt: 1 + Math.floor(index / 2),
      caller: ['shop', 'other', undefined][index % 3],
      feeId: index === 9 ? 'fee' : letter,
      txId: index === 6 || index === 9 ? 12 : undefined,
      status: index % 5 === 0 ? 'rejected' : index === 6 || index === 9 ? 'committed' : 'queued'
    }))
    let time = 0
    const store = await openNew(t, [], () => time)
    for (const { submissionId, createdAt, caller, feeId } of accepted) {
      time = createdAt
      const each = request(submissionId, submissionId, [fee(feeId)])
      await store.take([{ ...each, submissionId, ...(caller && { caller }) }])
    }
    const ids = (status: string) => accepted.filter(one => one.status === status).map(one => one.submissionId)
    const outcomes = ids('committed').map(id => committed(id, 12))
    await store.execute(101, 7, outcomes)
    for (const id of ids('rejected')) await store.reject(id, REFUSAL)

    for (const filter of listingFilters) {
      const { statuses, caller, feeId, txId, from = 0, to = 99, after } = filter
      const expected = accepted
        .filter(one => caller === undefined || one.caller === caller)
        .filter(one => statuses === undefined || statuses.some(status => status === one.status))
        .filter(one => feeId === undefined || one.feeId === feeId)
        .filter(one => txId === undefined || one.txId === txId)
        .filter(one => one.createdAt >= from && one.createdAt < to)
        .toSorted((one, other) => order(other, one))
        .filter(one => after === undefined || order(one, after) < 0)
      const found = []
      let next: Place | undefined = after
      do {
        const page: SubmissionPage = await store.list({ ...filter, after: next }, 5)
        found.push(...page.submissions)
        next = page.next
      } while (next !== undefined)
      const listed = found.map(({ submission, caller }) => [submission.submissionId, caller])
      const matching = expected.map(({ submissionId, caller }) => [submissionId, caller])
      t.strictSame(listed, matching, JSON.stringify(filter))
    }
  })

  test(`${name}: returns transfer if a transfer and a swap share a transaction id`, async t => {
    const store = await openNew(t)
    const typeUrls = { a: 'RequestSwap', b: 'Request', c: 'RequestSwap', d: 'Request' }
    for (const [id, kind] of Object.entries(typeUrls))
      await store.take([{ ...request(id), typeUrl: `/acme.Msg${kind}Transaction` }])
    const txIds = { a: 5, b: 6, c: 7, d: 7 }
    const outcomes = Object.entries(txIds).map(([id, txId]) => committed(`id-${id}`, txId))
    await store.execute(101, 7, outcomes)
    t.same(await Promise.all([5, 6, 7, 8].map(store.kindOf)), ['swap', 'transfer', 'transfer', undefined])
  })

  test(`${name}: adds a retry’s identities to its submission, but not after a conflict`, async t => {
    const store = await openNew(t)
    await store.take([request('a', 'content', [fee('1')])])
    await store.join(request('b', 'content', [fee('1'), key('k')]))
    t.equal(await store.join(request('b', 'other', [key('k')])), undefined, 'join stores no identities')
    const conflicting = request('c', 'other', [fee('1'), key('l')])
    await store.take([request('b', 'content', [fee('1'), key('k')]), conflicting])
    t.strictSame(await store.join(request('b', 'other', [key('k')])), { status: 'conflict', kind: 'key' })
    t.match(await store.take([request('d', 'third', [fee('2'), key('l')])]), [{ status: 'created' }])
    const retried = (name: string, ...callers: object[]) =>
      callers.map((caller, at) => ({ ...request(name), submissionId: `${name}-${at}`, ...caller }))
    const [shop, other] = [{ caller: 'shop' }, { caller: 'other' }]
    const batch = [...retried('e', shop, other), ...retried('f', {}, shop)]
    const statuses = (await store.take(batch)).map(({ status }) => status)
    t.strictSame(statuses, ['created', 'conflict', 'created', 'joined'], 'conflicts with another caller')
  })

  test(`${name}: stores at most 8 identities of a submission`, async t => {
    const store = await openNew(t)
    const retries = Array.from({ length: 30 }, (_, at) =>
      request(`${at}`, 'content', [fee('1'), key(`${at}`)])
    )
    await store.take(retries.slice(0, 20))
    for (const retry of retries.slice(20))
      t.match(await store.take([retry]), [{ status: 'joined', submission: { submissionId: 'id-0' } }])
    const ofKey = (at: number) => store.join(request('other', 'other', [key(`${at}`)]))
    const kinds = await Promise.all(retries.map(async (_, at) => (await ofKey(at))?.status))
    t.strictSame(kinds, [...Array(7).fill('conflict'), ...Array(23).fill(undefined)])
  })

  test(`${name}: only its caller or an operator may redirect a refused payment`, async t => {
    let now = 1000
    const shop = { caller: 'shop', mayRedirect: 'own' } as const
    const operator = { caller: 'operator', mayRedirect: 'all' } as const
    type Store = Awaited<ReturnType<typeof openNew>>
    const reject = (who: object) => async (store: Store) => {
      await store.take([{ ...request('first', 'first', [payment('seed')]), ...who }])
      await store.reject('id-first', REFUSAL)
    }
    const forget = (who: object) => async (store: Store) => {
      await reject(who)(store)
      for (const height of [101, 102]) {
        now += 1000
        await store.pass(height, now)
      }
      t.equal(await store.forget(1, 10), 1)
    }
    const adopt = (change: object) => (store: Store) =>
      store.adopt([{ ...refused('first', [payment('seed')]), ...change }])
    for (const [how, refuse, byCaller] of [
      ['anonymous', reject({}), 'conflict'],
      ['of a caller', reject(shop), 'created'],
      ['of a page', reject({ caller: 'page' }), 'conflict'],
      ['deleted', forget({}), 'conflict'],
      ['deleted, of a caller', forget(shop), 'created'],
      ['seen on the chain', adopt({}), 'conflict'],
      ['seen in a failed transaction', adopt({ execution: undefined }), 'conflict']
    ] as const) {
      const store = await openNew(t, [], () => now)
      await refuse(store)
      const attempts = [
        ['other', {}, 'conflict'],
        ['other', shop, byCaller],
        ['other', operator, 'created'],
        // A redirected payment keeps its first target.
        ['other', {}, 'conflict'],
        ['home', {}, 'created']
      ] as const
      for (const [at, [target, who, status]] of attempts.entries()) {
        const each = { ...request(`try-${at}`, `content ${at}`, [payment('seed', target)]), ...who }
        const [taken] = await store.take([each])
        t.equal(taken?.status, status, `${how}: to ${target} by ${JSON.stringify(who)}`)
        if (status === 'created') await store.reject(each.submissionId, REFUSAL)
      }
      t.match(await store.adopt([executed('b', 'b', [payment('seed', 'other')])]), [])
      t.match(await store.join(request('b', 'b', [payment('seed', 'other')])), { status: 'joined' }, how)
    }
  })

  test(`${name}: never reuses an executed payment; a refused payment keeps its target`, async t => {
    let now = 1000
    const store = await openNew(t, [], () => now)
    const paid = request('paid', 'paid', [payment('seed')])
    await store.take([paid])
    await store.execute(101, 7, [committed('id-paid', 1)])
    now += 1_000_000
    await store.pass(102, now)
    now += 1000
    await store.pass(103, now)
    t.equal(await store.forget(1, 10), 2, 'the submission and its slot')
    for (const who of [{}, { caller: 'operator', mayRedirect: 'all' } as const])
      t.match(await store.take([{ ...paid, ...who, submissionId: 'again' }]), [{ status: 'conflict' }])

    const targets = ['last', 'second', 'first']
    for (const target of targets) await store.adopt([refused(target, [payment('other', target)])])
    const statuses = targets.map(async target => {
      const taken = await store.join(request(`to-${target}`, target, [payment('other', target)]))
      return taken?.status
    })
    t.strictSame(await Promise.all(statuses), ['conflict', 'conflict', undefined])
  })

  test(`${name}: a refused payment rejects a queued submission of it to another target`, async t => {
    for (const change of [{}, { execution: undefined }]) {
      const store = await openNew(t)
      const stranger = request('stranger', 'stranger', [payment('seed', 'theirs')])
      await store.take([stranger, request('same', 'other content', [payment('same')])])
      const refusals = ['seed', 'same'].map(seed => ({ ...refused(seed, [payment(seed)]), ...change }))
      t.match(await store.adopt(refusals), [{ submissionId: 'id-stranger', status: 'rejected' }])
      t.strictSame(await store.idsInQueue(), ['id-same'], 'the same target with other content stays')
      t.match(await store.take([{ ...stranger, submissionId: 'x' }]), [{ status: 'conflict' }])
      t.match(await store.take([request('owner', 'owner', [payment('seed')])]), [{ status: 'created' }])
    }
  })

  test(`${name}: keeps submissions, transactions and wallet state across a restart`, async t => {
    const place = await newPlace(t)
    const before = await open(place)
    await before.putWalletState(WALLET_STATE)
    t.match(await before.walletState(), { controlPassed: false })
    await before.setControlPassed()
    await before.take(['d', 'a', 'c', 'b'].map(one => request(one)))
    await before.openSlot(signed(7, ['id-a']))
    await before.openSlot(signed(8, ['id-b']))
    await before.addSignedTx(signed(7, ['id-a'], '7b'))
    await t.rejects(before.addSignedTx(signed(99, ['id-a'])), 'the slot does not exist')
    await before.close()

    const after = await open(place)
    t.teardown(() => after.close())
    t.strictSame(await after.walletState(), { ...WALLET_STATE, nextSequence: 9, controlPassed: true })
    const stored = (await after.openSignedTxs()).map(one => ({ ...one, bytes: new Uint8Array(one.bytes) }))
    t.same(stored, [signed(7, ['id-a']), signed(7, ['id-a'], '7b'), signed(8, ['id-b'])])
    t.match(await after.queued(1), [{ submissionId: 'id-d', typeUrl: '/example.Msg' }])
    t.match(await after.queued(3), [{ submissionId: 'id-d' }, { submissionId: 'id-c' }])
    t.match(await after.queued(1, ['id-d']), [{ submissionId: 'id-c' }])
    t.match(await after.find('id-a'), { status: 'broadcast', transactionHash: hashOf('7b') })
    t.equal(await after.countUnsettled(), 4)
  })

  test(`${name}: dates each change, and returns the creation time of the oldest unsettled submission`, async t => {
    let now = 1000
    const store = await openNew(t, ['a'], () => now)
    const times = async () => {
      const changedAt = Date.parse((await store.find('id-a'))?.updatedAt ?? '')
      return [changedAt, await store.oldestUnsettled()]
    }
    now = 2000
    await store.take([request('b')])
    await store.openSlot(signed(7, ['id-a']))
    t.strictSame(await times(), [2000, 1000], 'in a slot')
    now = 3000
    await store.addSignedTx(signed(7, ['id-a'], '7b'))
    t.strictSame(await times(), [3000, 1000])
    now = 4000
    await store.consume(101, 7, ['id-a'])
    t.strictSame(await times(), [4000, 2000], 'the remaining submission')
    await store.reject('id-b', REFUSAL)
    t.strictSame(await times(), [4000, undefined])
  })

  test(`${name}: uses each sequence once, and binds a submission to only one slot`, async t => {
    const store = await openNew(t, ['a', 'b'])
    const conflict = { name: 'StoreConflictError' }
    await t.rejects(store.openSlot(signed(8, ['id-a'])), conflict)
    await store.openSlot(signed(7, ['id-a']))
    await t.rejects(store.openSlot(signed(7, ['id-b'])), conflict)
    await t.rejects(store.openSlot(signed(8, ['id-b', 'id-a'])), conflict)
    t.match(await store.find('id-b'), { status: 'queued' }, 'a rejected slot changes nothing')
    t.equal((await store.walletState())?.nextSequence, 8)
  })

  const LOCK: Identity = { kind: 'registration', value: 'lock' }
  const follower = (name: string, ...more: Identity[]) => ({
    ...request(name, name, [fee(name), ...more]),
    follows: request('lock', 'lock', [LOCK])
  })
  const idOfLock = async (store: Awaited<ReturnType<typeof openNew>>) =>
    (await store.queued(10)).find(({ waitsFor }) => waitsFor !== undefined)?.waitsFor ?? ''

  test(`${name}: a request waits until its predecessor is one block deep`, async t => {
    const store = await openNew(t)
    const taken = [follower('a'), follower('a')]
    t.match(await store.take(taken), [{ status: 'created' }, { submission: { submissionId: 'id-a' } }])
    const lock = await idOfLock(store)
    t.strictSame(await store.idsInQueue(), [lock, 'id-a'], 'a retry creates nothing')
    t.strictSame(await store.queued(10, [lock]), [], 'it waits for a message that is left out')
    await store.openSlot(signed(7, [lock]))
    t.strictSame(await store.idsInQueue(), [], 'what it follows is in a slot')
    await store.applyBlock(block(101, consumed(7, [committed(lock, 1)])))
    t.strictSame(await store.idsInQueue(), [], 'the results of the newest block might be wrong')
    await store.stepBack({ height: 100, hash: 'B100', resultsHash: 'R100' })
    await store.applyBlock(block(101, consumed(7, [{ submissionId: lock, status: 'queued' }])))
    t.strictSame(await store.idsInQueue(), [lock, 'id-a'])
    await store.execute(102, 8, [committed(lock, 1)])
    await store.applyBlock(block(103))
    t.match(await store.queued(10), [{ submissionId: 'id-a', waitsFor: undefined }])
    await store.reject('id-a', REFUSAL)
    t.match(await store.take([follower('b')]), [{ status: 'created' }])
    t.strictSame(await store.idsInQueue(), ['id-b'], 'what it follows is executed once')
  })

  test(`${name}: rejecting a predecessor rejects its request, unless they share a slot`, async t => {
    const store = await openNew(t)
    await store.take([follower('a')])
    const error = { ...REFUSAL, message: `its lock was refused: ${REFUSAL.message}` }
    const lock = await idOfLock(store)
    t.match(await store.reject(lock, REFUSAL), [{ submissionId: lock, error: REFUSAL }])
    t.match(await store.applyBlock(block(101)), [{ submissionId: 'id-a', status: 'rejected', error }])
    await store.take([{ ...follower('a'), submissionId: 'again' }])
    const second = await idOfLock(store)
    t.not(second, lock)
    const refused = { submissionId: second, status: 'rejected', error: REFUSAL } as const
    t.match(await store.execute(102, 7, [refused, committed('again', 1)]), [
      { submissionId: second, status: 'rejected' },
      { submissionId: 'again', status: 'committed' }
    ])
    t.strictSame(await store.applyBlock(block(103)), [])
  })

  test(`${name}: a request survives a wrong refusal of its predecessor`, async t => {
    const store = await openNew(t)
    await store.take([follower('a')])
    const lock = await idOfLock(store)
    const refused = { submissionId: lock, status: 'rejected', error: REFUSAL } as const
    t.match(await store.execute(101, 7, [refused]), [{ submissionId: lock }])
    t.match(await store.find('id-a'), { status: 'queued' })
    await store.stepBack({ height: 100, hash: 'B100', resultsHash: 'R100' })
    await store.applyBlock(block(101, consumed(7, [committed(lock, 1)])))
    t.strictSame(await store.applyBlock(block(102)), [])
    t.match(await store.queued(10), [{ submissionId: 'id-a', waitsFor: undefined }])
  })

  test(`${name}: rejects a request whose lock has other content or another caller`, async t => {
    const store = await openNew(t)
    const owned = { ...request('lock', 'lock', [LOCK]), caller: 'someone' }
    await store.take([{ ...follower('a', { kind: 'lock', value: 'x:0' }), follows: owned }])
    const others = [
      follower('b', { kind: 'lock', value: 'x:0' }),
      { ...follower('c'), follows: request('lock', 'other', [LOCK]) },
      follower('d')
    ]
    const conflicts = ['lock', 'registration', 'registration'].map(kind => ({ status: 'conflict', kind }))
    t.match(await store.take(others), conflicts)
    t.equal((await store.queued(10)).length, 2)
  })

  test(`${name}: a block settles and requeues submissions, and advances the cursor`, async t => {
    const store = await openNew(t, ['a', 'b', 'c'])
    // PostgreSQL can store neither character as such.
    const text = '"\0\ud800'
    const events = [{ type: 'requested', attributes: [{ key: 'note', value: text }] }]
    const error = { ...REFUSAL, message: text }
    const refused = { submissionId: 'id-b', status: 'rejected', error } as const
    const requeued = { submissionId: 'id-c', status: 'queued' } as const
    const settled = await store.execute(101, 7, [{ ...committed('id-a', 12), events }, refused, requeued])
    const execution = { height: 101, transactionHash: hashOf(7) }
    t.match(settled, [
      { ...committed('id-a', 12), events, ...execution },
      { ...refused, ...execution }
    ])
    const stored = [await store.find('id-a'), await store.find('id-b')]
    const returned = stored.map(one => ({ ...one, kind: 'transfer' }))
    t.strictSame(settled, returned, 'returned as stored')
    t.strictSame(await store.findSettled(['id-b', 'id-c', 'no such id']), [stored[1]])
    t.strictSame(await store.findSettled([]), [])
    t.match(await store.list({ identifier: `msg_${text}_committed` }, 10), { submissions: [] })
    t.strictSame(await store.idsInQueue(), ['id-c'])
    t.strictSame(await store.openSignedTxs(), [])
    t.match(await store.walletState(), { cursorHeight: 101, cursorHash: 'B101', nextSequence: 8 })
    t.equal(await store.countUnsettled(), 1)
  })

  test(`${name}: rejects a block that skips a height or omits a submission`, async t => {
    const store = await openNew(t, ['a'])
    await store.openSlot(signed(7, ['id-a']))
    const wrong = [
      block(102, consumed(7, [committed('id-a')])),
      block(101, consumed(7, [])),
      block(101, { ...consumed(7, [], 'foreign'), transactionHash: 'F-7' }),
      block(101, consumed(7, [{ submissionId: 'id-a', status: 'queued' }], 'foreign'))
    ]
    for (const each of wrong) await t.rejects(store.applyBlock(each), { name: 'StoreConflictError' })
    t.match(await store.walletState(), { cursorHeight: 100, nextSequence: 8 })
    t.match(await store.find('id-a'), { status: 'broadcast' })
    const settled = await store.consume(101, 7, ['id-a'])
    t.match(settled, [{ submissionId: 'id-a', status: 'committed', height: 101 }])
    t.match(await store.walletState(), { cursorHeight: 101, cursorHash: 'B101' })
  })

  test(`${name}: sums the fees of our own transactions per UTC day`, async t => {
    let now = Date.parse('2026-11-22T23:59:00Z')
    const place = await newPlace(t)
    const before = await open(place, () => now)
    await before.putWalletState(WALLET_STATE)
    await before.take([request('a'), request('b')])
    t.equal(await before.feesPaidToday(), 0n)
    await before.openSlot(signed(7, ['id-a']))
    await before.addSignedTx({ ...signed(7, ['id-a'], '7b'), feeAmount: 5n })
    await before.openSlot(signed(8, ['id-b']))
    t.equal(await before.feesPaidToday(), 0n, 'no fee counts before a block')
    const failed = consumed(8, [{ submissionId: 'id-b', status: 'queued' }])
    await before.applyBlock({ ...block(101, consumed(7, [committed('id-a')])), time: now })
    await before.applyBlock({ ...block(102, failed, consumed(9, [], 'foreign')), time: now })
    t.equal(await before.feesPaidToday(), 2n ** 71n, 'the exact sum, including a failed transaction')
    await before.close()

    const after = await open(place, () => now)
    t.teardown(() => after.close())
    t.equal(await after.feesPaidToday(), 2n ** 71n, 'after a restart')
    now = Date.parse('2026-11-23T00:00:00Z')
    t.equal(await after.feesPaidToday(), 2n ** 71n, 'the day changes with a block, not with the clock')
    await after.openSlot(signed(10, ['id-b']))
    await after.applyBlock({ ...block(103, consumed(10, [committed('id-b')])), time: now })
    t.equal(await after.feesPaidToday(), 2n ** 70n)
  })

  test(`${name}: announces queued and settled submissions after storing them`, async t => {
    const store = await openNew(t)
    const heard: Notification[] = []
    store.onNotification(notification => void heard.push(notification))
    await store.take([request('a'), request('b')])
    await store.take([{ ...request('a'), submissionId: 'never-used' }])
    await store.execute(101, 7, [committed('id-a')])
    await store.applyBlock(block(102))
    await store.reject('id-b', REFUSAL)
    await until(() => heard.length >= 3, 'three notifications have arrived')
    const settled = (id: string) => ({ kind: 'settled', submissionIds: [id] })
    t.strictSame(heard, [{ kind: 'queued' }, settled('id-a'), settled('id-b')])
  })

  /** Ways to end a term. Only in PostgreSQL can a term end unnoticed by its leader. */
  const endings: Record<string, (term: Term, place: StorePlace) => Promise<unknown>> = {
    'that has stepped down': async term => {
      await term.stepDown()
      if (!term.ended.aborted) throw new Error('the term has not ended')
    },
    ...(name === 'postgres' && {
      'that was replaced without noticing': (_, place) => place.execute('UPDATE wallet SET epoch = epoch + 1')
    })
  }
  for (const [how, end] of Object.entries(endings)) {
    test(`${name}: rejects every write of a leader ${how}`, async t => {
      const place = await newPlace(t)
      const store = await place.open(OWNER)
      t.teardown(() => store.close())
      const first = await store.lead()
      if (first === undefined) throw new Error('the store did not begin a term')
      await first.store.putWalletState(WALLET_STATE)
      await store.take([request('a'), request('b')])
      await first.store.openSlot(signed(7, ['id-a']))
      t.notOk(first.ended.aborted)
      await end(first, place)

      const contents = async () => [
        await store.walletState(),
        await store.report(),
        await store.feesPaidToday(),
        await first.store.openSignedTxs(),
        (await store.list({}, 10)).submissions.map(({ content, ...row }) => ({ ...row, content: content() }))
      ]
      const before = await contents()
      const leader = first.store
      type Read = 'queued' | 'openSignedTxs' | 'notices' | 'verification' | keyof ComparableStore
      const writes: Record<Exclude<keyof EngineStore, Read>, () => Promise<unknown>> = {
        putWalletState: () => leader.putWalletState(WALLET_STATE),
        correctSequence: () => leader.correctSequence(8, 9),
        setControlPassed: () => leader.setControlPassed(),
        openSlot: () => leader.openSlot(signed(8, ['id-b'])),
        addSignedTx: () => leader.addSignedTx(signed(7, ['id-a'], '7b')),
        reject: () => leader.reject('id-b', REFUSAL),
        stepBack: () => leader.stepBack({ height: 100, hash: 'AA', resultsHash: 'NONE' }),
        applyBlock: () => leader.applyBlock(block(101, consumed(7, [committed('id-a')]))),
        adopt: () => leader.adopt([executed('c')]),
        putReport: () => leader.putReport({ blockers: [], withoutTxId: 0 }),
        putVerification: () => leader.putVerification({ height: 1, proven: 0, pruned: 0, differing: [] }),
        putNotices: () => leader.putNotices([], [])
      }
      for (const [write, run] of Object.entries(writes))
        await t.rejects(async () => run(), { name: 'TermEndedError' }, write)
      t.strictSame(await contents(), before)
      t.match(await first.store.queued(10), [{ submissionId: 'id-b' }], 'reads are still allowed')
      const second = await store.lead()
      t.ok((second?.epoch ?? 0) > first.epoch)
      await second?.store.openSlot(signed(8, ['id-b']))
      t.match(await store.find('id-b'), { status: 'broadcast' })
    })
  }

  test(`${name}: deletes old settled submissions in batches, along with unneeded slots`, async t => {
    let now = 1000
    const names = ['a', 'b', 'c', 'd', 'young', 'bound', 'queued']
    const store = await openNew(t, names, () => now)
    await store.reject('id-d', REFUSAL)
    await store.openSlot(signed(7, ['id-a', 'id-b', 'id-c']))
    await store.openSlot(signed(8, ['id-bound']))
    await store.openSlot(signed(9, ['id-young']))
    await store.consume(101, 7, ['id-a', 'id-b', 'id-c'], now)
    now = 2000
    await store.consume(102, 9, ['id-young'], now)

    now = 9000
    t.equal(await store.forget(1000, 10), 0, 'the clock alone does not age a submission')
    await store.pass(103, 9000)
    now = 2000
    t.equal(await store.forget(1000, 10), 0, 'block time alone does not age a submission')
    now = 9000
    t.equal(await store.forget(8000, 10), 0, 'a submission settled exactly at the cutoff is kept')
    t.equal(await store.forget(7999, 2), 2, 'the batch size is limited')
    t.equal(await store.forget(7999, 2), 3, 'the remaining submissions and the slot below every needed slot')
    t.equal(await store.forget(7999, 2), 0)
    const found = await Promise.all(names.map(async id => (await store.find(`id-${id}`))?.status))
    t.strictSame(found, [undefined, undefined, undefined, undefined, 'committed', 'broadcast', 'queued'])

    t.equal(await store.forget(0, 10), 1, 'slots above an open slot are kept')
    t.match(await store.openSignedTxs(), [{ sequence: 8 }])
    await store.consume(104, 8, ['id-bound'], now)
    now = 9001
    await store.pass(105, now)
    t.equal(await store.forget(0, 10), 3, 'one submission and two slots')
    t.match(await store.walletState(), { nextSequence: 10, cursorHeight: 105 })
    await store.openSlot(signed(10, ['id-queued']))
    const changed = { ...request('a', 'changed'), submissionId: 'id-a2' }
    t.match(await store.take([changed]), [{ status: 'created' }])
  })

  test(`${name}: a submission settled by an old block during a catch-up is not old`, async t => {
    let now = 1000
    const store = await openNew(t, ['a'], () => now)
    await store.openSlot(signed(7, ['id-a']))
    now = 9000
    await store.consume(101, 7, ['id-a'], 1500)
    await store.pass(102, now)
    t.equal(await store.forget(1000, 10), 0)
  })

  test(`${name}: requests executed elsewhere settle queued copies and retries`, async t => {
    const store = await openNew(t, ['a', 'b', 'd'])
    await store.take([request('c', 'old')])
    await store.reject('id-d', REFUSAL)
    const copies = [executed('d'), executed('a'), refused('b'), executed('c', 'new')]
    const adoptions = [...copies, executed('unknown'), refused('never')]
    const settled = await store.applyBlock({ ...block(101), adoptions })
    const results = settled.map(({ submissionId, status }) => `${submissionId} ${status}`).sort()
    t.strictSame(results, ['id-a committed', 'id-b rejected', 'id-c rejected'])
    t.match(await store.find('id-a'), { ...committed('id-a', 5), ...ELSEWHERE })
    t.match(await store.find('id-b'), { status: 'rejected', error: { code: 7 }, ...ELSEWHERE })
    t.match(await store.find('id-c'), { status: 'rejected', error: { code: 1, codespace: 'service' } })
    const joined = await store.join(request('c', 'new'))
    t.match(joined, { submission: { submissionId: 'new-c', status: 'committed' } })
    t.strictSame(await store.join(request('c', 'old')), { status: 'conflict', kind: 'fee' })
    const unknown = { status: 'committed', txId: 5, ...ELSEWHERE }
    t.match(await store.join(request('unknown')), { submission: unknown })
    t.match(await store.join(request('d')), { submission: { submissionId: 'new-d' } }, 'was rejected before')
    t.equal(await store.join(request('b')), undefined, 'a rejected request can be resubmitted')
    t.equal(await store.join(request('never')), undefined)
    t.equal(await store.countUnsettled(), 0)
    t.strictSame(await store.adopt([executed('a'), executed('unknown')]), [], 'already adopted')
  })

  test(`${name}: removes an adopted submission from its open slot`, async t => {
    const store = await openNew(t, ['a', 'b'])
    await store.openSlot(signed(7, ['id-a', 'id-b']))
    const adoptions = [refused('b'), executed('b', 'other'), executed('a', 'a', [fee('a'), payment('p')])]
    await store.applyBlock({ ...block(101), adoptions })
    t.match(await store.find('id-a'), { status: 'committed', ...ELSEWHERE })
    t.match(await store.find('id-b'), { status: 'broadcast' }, 'the slot may still execute id-b')
    t.equal(await store.find('new-b'), undefined, 'no identity is left for it')
    t.match(await store.openSignedTxs(), [{ submissionIds: ['', 'id-b'] }])
    await store.consume(102, 7, ['id-b'])
    t.match(await store.find('id-a'), { status: 'committed', ...ELSEWHERE })
    t.match(await store.find('id-b'), { status: 'committed', transactionHash: hashOf(7) })
  })

  test(`${name}: rejects a queued submission whose payment was executed elsewhere`, async t => {
    const store = await openNew(t)
    await store.take([request('a', 'a', [fee('a'), payment('p'), key('k')])])
    await store.adopt([executed('b', 'b', [fee('b'), payment('p'), key('k')])])
    t.match(await store.find('id-a'), { status: 'rejected', error: { codespace: 'service' } })
    t.match(await store.join(request('b', 'b', [payment('p')])), { submission: { submissionId: 'new-b' } })
    t.match(await store.take([request('a')]), [{ status: 'created' }], 'the feeId is free again')
  })
}
