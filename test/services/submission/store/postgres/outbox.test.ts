import type { Term } from '../../../../../services/submission/store/engine-writes.ts'
import type { OutboxEvent } from '../../../../../services/submission/store/outbox.ts'
import type { BlockOutcome } from '../../../../../services/submission/store/types.ts'
import { runSql, startPostgres } from '../../../../helpers/postgres/index.ts'
import { proxyFor } from '../../../../helpers/postgres/proxy.ts'
import { openWithOutbox, requestOf, WALLET_STATE } from '../../../../helpers/postgres/replicas.ts'
import { t as root, type Test, test } from '../../../../helpers/tap.ts'
import { until } from '../../../../helpers/until.ts'

const postgres = await startPostgres(root)

const MANY = 60

type Replica = Awaited<ReturnType<typeof openWithOutbox>>

async function leadingTerm({ replica }: Replica): Promise<Term> {
  return until(() => replica.lead(), 'a term begins')
}

/** Puts new submissions into a slot. @returns their ids, and the block that commits them */
async function openSlot({ replica }: Replica, term: Term, sequence: number, count: number) {
  const requests = Array.from({ length: count }, (_, index) =>
    requestOf(`content ${sequence} ${index}`, `fee-${sequence}-${index}`)
  )
  await replica.take(requests)
  const submissionIds = requests.map(({ submissionId }) => submissionId)
  const hash = `HASH-${sequence}`
  await term.store.openSlot({
    hash,
    sequence,
    bytes: Buffer.of(1),
    gasLimit: 1,
    feeAmount: 1n,
    submissionIds
  })
  const outcomes = submissionIds.map((submissionId, index) => ({
    submissionId,
    status: 'committed' as const,
    txId: index + 1,
    gasUsed: 1,
    gasWanted: 2,
    events: []
  }))
  const resolution = { sequence, transactionHash: hash, origin: 'own' as const, outcomes }
  const block: BlockOutcome = {
    height: WALLET_STATE.cursorHeight + 1 + sequence - WALLET_STATE.nextSequence,
    hash: 'BB',
    time: 0,
    resolutions: [resolution]
  }
  return { submissionIds, block }
}

/** Two replicas; the first leads and has settled `count` submissions. */
async function twoReplicas(t: Test, count: number) {
  const url = await postgres.createDatabase()
  const [one, other] = [await openWithOutbox(t, url), await openWithOutbox(t, url)]
  const term = await leadingTerm(one)
  await term.store.putWalletState(WALLET_STATE)
  const { submissionIds, block } = await openSlot(one, term, WALLET_STATE.nextSequence, count)
  await term.store.applyBlock(block)
  return { url, one, other, submissionIds }
}

/** Claims and delivers until nothing is due. */
async function deliverAll({ outbox }: Replica): Promise<OutboxEvent[]> {
  const all: OutboxEvent[] = []
  for (let events = await outbox.claim(7); events.length > 0; events = await outbox.claim(7)) {
    await outbox.record(events.map(event => ({ ...event, outcome: 'delivered' })))
    all.push(...events)
  }
  return all
}

test('replicas that claim at once share the events, and each is claimed once', async t => {
  const { one, other, submissionIds } = await twoReplicas(t, MANY)
  const claimed = (await Promise.all([one, other, one, other].map(deliverAll))).flat()
  t.strictSame(claimed.map(event => event.submissionId).sort(), [...submissionIds].sort())
  t.match(await one.outbox.backlog(), { pending: 0, watched: MANY })
})

test('replicas that finish the same transfers at once write one event for each', async t => {
  const { one, other } = await twoReplicas(t, MANY)
  await deliverAll(one)
  const transfers = await one.outbox.claimTransfers(MANY)
  t.strictSame(await other.outbox.claimTransfers(MANY), [], 'reserved for the first')
  const finished = transfers.map(transfer => ({ transfer, record: {} }))
  await Promise.all([one.outbox.finish(finished), other.outbox.finish(finished.toReversed())])
  const claimed = (await Promise.all([one, other].map(deliverAll))).flat()
  t.equal(claimed.length, MANY)
  t.equal(new Set(claimed.map(({ eventId }) => eventId)).size, MANY)
})

test('the events of a submission that are sent again keep their order', async t => {
  const { url, one, other } = await twoReplicas(t, 1)
  await deliverAll(one)
  const [transfer] = await one.outbox.claimTransfers(1)
  if (transfer === undefined) throw new Error('nothing was claimed')
  await one.outbox.finish([{ transfer, record: {} }])
  await deliverAll(one)
  await runSql(url, "UPDATE event SET state = 'pending', due_at = 0")
  const [first, ...others] = (await Promise.all([one.outbox.claim(9), other.outbox.claim(9)])).flat()
  t.strictSame([first?.type, others], ['submission.committed', []])
  t.strictSame(await other.outbox.claim(9), [], 'the later one waits while the first is reserved')
  if (first) await one.outbox.record([{ ...first, outcome: 'delivered' }])
  t.match(await other.outbox.claim(9), [{ type: 'transfer.finished' }])
})

test('a term that is over writes no event', async t => {
  const url = await postgres.createDatabase()
  const replica = await openWithOutbox(t, url)
  const first = await leadingTerm(replica)
  await first.store.putWalletState(WALLET_STATE)
  const { block } = await openSlot(replica, first, WALLET_STATE.nextSequence, 3)
  // As if another replica had taken the lead without this replica knowing yet.
  await runSql(url, 'UPDATE wallet SET epoch = epoch + 1')
  await t.rejects(first.store.applyBlock(block), { name: 'TermEndedError' })
  t.match(await replica.outbox.backlog(), { pending: 0 })
  const second = await leadingTerm(replica)
  await second.store.applyBlock(block)
  t.match(await replica.outbox.backlog(), { pending: 3 })
})

for (const [moment, isApplied] of [
  ['before', false],
  ['after', true]
] as const) {
  test(`a block whose commit is lost ${moment} the database has it writes each event once`, async t => {
    const proxy = await proxyFor(t, await postgres.createDatabase())
    const replica = await openWithOutbox(t, proxy.url)
    const term = await leadingTerm(replica)
    await term.store.putWalletState(WALLET_STATE)
    const { block, submissionIds } = await openSlot(replica, term, WALLET_STATE.nextSequence, 3)
    proxy.breakCommit(moment)
    await t.rejects(term.store.applyBlock(block), { name: 'StoreUncertainError' })
    t.match(await replica.outbox.backlog(), { pending: isApplied ? 3 : 0 })
    const next = await leadingTerm(replica)
    const again = next.store.applyBlock(block)
    if (isApplied) await t.rejects(again, { name: 'StoreConflictError' })
    else await again
    t.strictSame(
      (await deliverAll(replica)).map(({ submissionId }) => submissionId),
      submissionIds
    )
  })
}
