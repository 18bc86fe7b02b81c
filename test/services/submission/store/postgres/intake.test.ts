import type { IntakeResult } from '../../../../../services/submission/contract.ts'
import { leadingStore } from '../../../../helpers/durable-stores.ts'
import { startPostgres } from '../../../../helpers/postgres.ts'
import { t as root, type Test, test } from '../../../../helpers/tap.ts'
import { block, committed, consumed, REFUSAL, signed, WALLET_STATE } from '../../store-data.ts'
import { proxyFor } from './proxy.ts'
import { openReplica, requestOf } from './replicas.ts'

const postgres = await startPostgres(root)

const idOf = (result: IntakeResult | undefined) =>
  result && 'submission' in result ? result.submission.submissionId : undefined

/** Opens two replicas of a new store, the first of which leads. */
async function leaderAndOther(t: Test) {
  const url = await postgres.createDatabase()
  const leader = await leadingStore(await openReplica(t, url))
  await leader.putWalletState(WALLET_STATE)
  return { leader, other: await openReplica(t, url) }
}

test('if two replicas store one identity with different contents together, one creates it', async t => {
  const url = await postgres.createDatabase()
  const replicas = await Promise.all([openReplica(t, url), openReplica(t, url)])
  for (let round = 0; round < 30; round += 1) {
    const taking = replicas.map(({ take }, index) => take([requestOf(`content ${index}`, `fee-${round}`)]))
    const statuses = (await Promise.all(taking)).flat().map(({ status }) => status)
    t.strictSame(statuses.sort(), ['conflict', 'created'])
  }
  t.equal(await replicas[0]?.countUnsettled(), 30)
})

test('stores concurrent batches that share identities in any order without deadlocks', async t => {
  const url = await postgres.createDatabase()
  const replicas = await Promise.all([openReplica(t, url), openReplica(t, url), openReplica(t, url)])
  const fees = Array.from({ length: 12 }, (_, index) => `fee-${index}`)
  const group = (from: number, step: number) =>
    fees.map((_, index) => {
      const at = (from + index * step) % fees.length
      return requestOf('content', fees[at] ?? '', fees[(at + 5) % fees.length] ?? '')
    })
  const rounds = Array.from({ length: 15 }, (_, round) =>
    Promise.all(
      replicas.map((replica, index) =>
        replica.take(group(round + index, [1, 5, 11, 7][(round + index) % 4] ?? 1))
      )
    )
  )
  const ids = new Set((await Promise.all(rounds)).flat(2).map(idOf))
  t.equal(ids.size, await replicas[0]?.countUnsettled())
  t.notOk(ids.has(undefined), 'identical content never conflicts')
})

test('another target never gets a payment while the leader records its refusal', async t => {
  const { leader, other } = await leaderAndOther(t)
  const statuses = []
  for (let round = 0; round < 40; round += 1) {
    const pay = (target: string) => {
      const identities = [{ kind: 'payment', value: `seed-${round}`, target } as const]
      return { ...requestOf(`${target} ${round}`), identities }
    }
    const refused = { ...pay('home'), execution: undefined, transactionHash: 'C', height: 101 }
    const [taken] = await Promise.all([other.take([pay('theirs')]), leader.adopt([refused])])
    const id = idOf(taken[0])
    statuses.push(id === undefined ? taken[0]?.status : (await other.find(id))?.status)
    t.match(await other.take([pay('theirs')]), [{ status: 'conflict', kind: 'payment' }])
    t.match(await other.take([pay('home')]), [{ status: 'created' }])
  }
  for (const status of statuses) t.match(status, /^(conflict|rejected)$/)
})

test('a submission accepted while its lock is rejected is rejected or stays queued', async t => {
  const { leader, other } = await leaderAndOther(t)
  const left: string[] = []
  for (let round = 0; round < 40; round += 1) {
    const identities = [{ kind: 'registration', value: `lock-${round}` } as const]
    const follows = { ...requestOf(`lock ${round}`), identities }
    const [cancelled] = await leader.take([{ ...requestOf('content', `fee-${round}`), follows }])
    const waiting = await leader.queued(100)
    const lock = waiting.find(({ submissionId }) => submissionId === idOf(cancelled))?.waitsFor ?? ''
    await leader.reject(idOf(cancelled) ?? '', REFUSAL)
    const second = { ...requestOf('content', `fee-${round} again`), follows }
    const [taken] = await Promise.all([other.take([second]), leader.reject(lock, REFUSAL)])
    left.push(idOf(taken[0]) ?? '')
  }
  await leader.applyBlock(block(101))
  const queued = (await leader.queued(100)).map(({ submissionId }) => submissionId)
  const found = await Promise.all(left.map(async id => (await other.find(id))?.status))
  for (const [index, status] of found.entries())
    t.ok(status === 'rejected' || queued.includes(left[index] ?? ''), `${status}`)
})

test('retries create new submissions while the old ones are being deleted', async t => {
  const { leader, other } = await leaderAndOther(t)
  for (let round = 0; round < 10; round += 1) {
    const fees = Array.from({ length: 10 }, (_, index) => `fee-${round}-${index}`)
    const taken = await leader.take(fees.map(fee => requestOf('content', fee, `${fee}-b`)))
    for (const result of taken) await leader.reject(idOf(result) ?? '', REFUSAL)
    await leader.applyBlock({ ...block(101 + round), time: leader.now() })
    const retries = fees.reverse().map(fee => requestOf('content', `${fee}-b`, fee, `${fee}-c`))
    const [, results] = await Promise.all([leader.forget(-60_000, 100), other.take(retries)])
    t.ok(results.every(({ status }) => status === 'created'))
    const again = retries.map(retry => ({ ...retry, submissionId: `again-${retry.submissionId}` }))
    t.strictSame((await other.take(again)).map(idOf), results.map(idOf))
  }
})

test('uses the clock of the database server on a machine with a fast clock', async t => {
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => now() + 400 * 86_400_000
  const before = now()
  const store = await openReplica(t, await postgres.createDatabase())
  const time = store.now()
  t.ok(time > before - 100 && time < now() + 100, `${time} is after ${before}, and before ${now()}`)
})

test('separates the submissions of wallets that share a database', async t => {
  const url = await postgres.createDatabase()
  const one = await openReplica(t, url)
  const other = await openReplica(t, url, { owner: 'service1other' })
  const [mine] = await one.take([requestOf('content', 'fee')])
  const [theirs] = await other.take([requestOf('different', 'fee')])
  t.match([mine, theirs], [{ status: 'created' }, { status: 'created' }])
  t.equal(await one.find(idOf(theirs) ?? ''), undefined)
  t.equal(await one.countUnsettled(), 1)
  t.ok(await one.lead())
  t.ok(await other.lead(), 'each wallet has its own leader')
})

test('batches and blocks of 300 submissions need few round trips to the database', async t => {
  const proxy = await proxyFor(t, await postgres.createDatabase())
  const store = await leadingStore(await openReplica(t, proxy.url))
  await store.putWalletState(WALLET_STATE)
  const fees = Array.from({ length: 300 }, (_, index) => `fee-${index}`)
  const requests = fees.map(fee => requestOf(fee, fee))
  const ids = requests.map(({ submissionId }) => submissionId)
  const outcomes = ids.map((id, index) => committed(id, index + 1))
  const works = {
    intake: () => store.take(requests),
    retries: () => store.take(fees.map(fee => requestOf(fee, fee))),
    slot: () => store.openSlot(signed(7, ids)),
    block: () => store.applyBlock(block(101, consumed(7, outcomes)))
  }
  for (const [name, work] of Object.entries(works)) {
    const before = proxy.sent()
    await work()
    const sent = proxy.sent() - before
    t.ok(sent > 0 && sent < 25, `${name}: ${sent} round trips`)
  }
})
