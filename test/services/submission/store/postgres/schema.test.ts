import { t as root, test } from 'tap'
import { migrations } from '../../../../../services/submission/store/postgres/migrations.ts'
import type { News, SubmissionOutcome } from '../../../../../services/submission/store/types.ts'
import { startPostgres } from '../../../../helpers/postgres/index.ts'
import { openReplica, requestOf, SIGNER } from '../../../../helpers/postgres/replicas.ts'
import { until } from '../../../../helpers/until.ts'

const postgres = await startPostgres(root)
const next = [...migrations, 'CREATE TABLE added (column_of_it INTEGER)']

test('replicas that start at once make the schema together', async t => {
  const url = await postgres.createDatabase()
  const replicas = await Promise.all([1, 2, 3, 4, 5].map(() => openReplica(t, url)))
  t.equal(new Set(replicas.map(({ wallet }) => wallet)).size, 1)
})

test('a newer schema is refused by a version that does not know it', async t => {
  const url = await postgres.createDatabase()
  await (await openReplica(t, url, { migrations: next })).close()
  await t.rejects(openReplica(t, url), {
    name: 'DatabaseUnusableError',
    message: new RegExp(
      `newer version \\(schema ${next.length}\\): start that version; this one knows schema ${migrations.length}`
    )
  })
})

test('an older schema is upgraded, but not while replicas of its version run', async t => {
  const url = await postgres.createDatabase()
  const older = await openReplica(t, url)
  await older.take([requestOf('content', 'fee')])
  await t.rejects(openReplica(t, url, { migrations: next }), {
    name: 'DatabaseUnusableError',
    message: /replicas of that version still use it: stop all of them, then start this version/
  })
  const waiting = openReplica(t, url, { migrations: next })
  await older.close()
  t.equal(await (await waiting).countUnsettled(), 1)
})

test('the news of many submissions does not name them', async t => {
  const url = await postgres.createDatabase()
  const [one, other] = await Promise.all([openReplica(t, url), openReplica(t, url)])
  const heard: News[] = []
  other.onNews(news => void heard.push(news))
  const term = await one.lead()
  const names = Array.from({ length: 300 }, (_, index) => `a-name-that-is-as-long-as-a-uuid-${index}`)
  await one.take(names.map(name => ({ ...requestOf('content', name), submissionId: name })))
  await until(() => heard.length === 1, 'the other replica heard of them')
  await term?.store.putSigner(SIGNER)
  const variant = { hash: 'H', sequence: 7, bytes: new Uint8Array([1]), gasLimit: 1, feeAmount: 1n }
  await term?.store.openSlot({ ...variant, submissionIds: names })
  const outcomes = names.map((submissionId): SubmissionOutcome => {
    return { submissionId, status: 'committed', txId: 1, gasUsed: 1, gasWanted: 1, events: [] }
  })
  const resolutions = [{ sequence: 7, transactionHash: 'H', origin: 'own', outcomes } as const]
  await term?.store.applyBlocks([{ height: 101, hash: 'B', resolutions }])
  await until(() => heard.length === 2, 'the other replica heard of their end')
  t.strictSame(heard, [{ kind: 'queued' }, { kind: 'settled' }])
  t.equal((await other.findSettled(names)).length, 300)
})
