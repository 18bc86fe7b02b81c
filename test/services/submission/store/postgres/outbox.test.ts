import type { Term } from '../../../../../services/submission/contract.ts'
import type { OutboxEvent } from '../../../../../services/submission/store/outbox.ts'
import { startPostgres } from '../../../../helpers/postgres/index.ts'
import { proxyFor } from '../../../../helpers/postgres/proxy.ts'
import { openWithOutbox, requestOf } from '../../../../helpers/postgres/replicas.ts'
import { block, committed, consumed, signed, WALLET_STATE } from '../../../../helpers/store-data.ts'
import { t as root, test } from '../../../../helpers/tap.ts'
import { until } from '../../../../helpers/until.ts'

const postgres = await startPostgres(root)

type Replica = Awaited<ReturnType<typeof openWithOutbox>>

async function leadingTerm({ replica }: Replica): Promise<Term> {
  return until(() => replica.lead(), 'a term begins')
}

/** Opens a slot with new submissions. @returns their ids and the block that commits them */
async function openSlot({ replica }: Replica, term: Term, count: number) {
  const requests = Array.from({ length: count }, (_, index) => requestOf(`content ${index}`, `fee-${index}`))
  await replica.take(requests)
  const submissionIds = requests.map(({ submissionId }) => submissionId)
  await term.store.openSlot(signed(7, submissionIds))
  const outcomes = submissionIds.map((submissionId, index) => committed(submissionId, index + 1))
  return { submissionIds, block: block(101, consumed(7, outcomes)) }
}

async function deliverAll({ outbox }: Replica): Promise<OutboxEvent[]> {
  const all: OutboxEvent[] = []
  for (let events = await outbox.claim(7); events.length > 0; events = await outbox.claim(7)) {
    await outbox.record(events.map(event => ({ ...event, outcome: 'delivered' })))
    all.push(...events)
  }
  return all
}

test('never hands the same event to two replicas that claim concurrently', async t => {
  const url = await postgres.createDatabase()
  const [one, other] = [await openWithOutbox(t, url), await openWithOutbox(t, url)]
  const term = await leadingTerm(one)
  await term.store.putWalletState(WALLET_STATE)
  const { submissionIds, block } = await openSlot(one, term, 60)
  await term.store.applyBlock(block)
  const claimed = (await Promise.all([one, other, one, other].map(deliverAll))).flat()
  t.strictSame(claimed.map(event => event.submissionId).sort(), submissionIds.sort())
  t.match(await one.outbox.backlog(), { pending: 0 })
})

for (const [moment, isApplied] of [
  ['before', false],
  ['after', true]
] as const) {
  test(`writes each event once if the connection is lost ${moment} a block is committed`, async t => {
    const proxy = await proxyFor(t, await postgres.createDatabase())
    const replica = await openWithOutbox(t, proxy.url)
    const term = await leadingTerm(replica)
    await term.store.putWalletState(WALLET_STATE)
    const { block, submissionIds } = await openSlot(replica, term, 3)
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
