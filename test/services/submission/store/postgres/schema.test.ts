import { mock } from 'node:test'
import { Client } from 'pg'
import type { Notification } from '../../../../../services/submission/contract.ts'
import { otherSchema, SCHEMA_VERSION } from '../../../../../services/submission/store/schema.ts'
import { runSql, startPostgres } from '../../../../helpers/postgres.ts'
import { t as root, test } from '../../../../helpers/tap.ts'
import { until } from '../../../../helpers/until.ts'
import { block, committed, consumed, identifiedFilters, signed, WALLET_STATE } from '../../store-data.ts'
import { openReplica, requestOf } from './replicas.ts'

const postgres = await startPostgres(root)

const END_OTHERS = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()'

test('refuses a database with another schema, and reports what to do', async t => {
  const url = await postgres.createDatabase()
  const store = await openReplica(t, url)
  for (const version of [6, SCHEMA_VERSION + 1]) {
    await runSql(url, `UPDATE schema_version SET version = ${version}`)
    const message = `DATABASE_URL: the database ${otherSchema(version)}`
    await t.rejects(openReplica(t, url), { name: 'DatabaseUnusableError', message })
  }
  await runSql(url, END_OTHERS)
  const attempt = () => store.take([requestOf('content', 'fee')]).catch(({ message }) => message)
  await until(async () => String(await attempt()).includes('has schema'), 'a running replica stops using it')
})

test('advances identity sequences that are behind, at the start and after a switch', async t => {
  const url = await postgres.createDatabase()
  const store = await openReplica(t, url)
  const requests = ['one', 'two', 'three', 'four'].map(content => requestOf(content, `fee-${content}`))
  const [one, two] = requests.map(({ submissionId }) => submissionId)
  const take = async (index: number, replica = store) =>
    (await replica.take(requests.slice(index, index + 1)))[0]
  const term = await store.lead()
  await term?.store.putWalletState(WALLET_STATE)
  await take(0)
  await term?.store.openSlot(signed(7, [`${one}`]))
  const copied = ['signed_tx', 'submission']
  const reset = copied.map(table => `ALTER TABLE ${table} ALTER COLUMN position RESTART; `).join('')
  await runSql(url, `${reset} ALTER TABLE wallet ALTER COLUMN wallet_id RESTART`)
  await t.rejects(take(1))

  const others = await Promise.all([1, 2, 3].map(() => openReplica(t, url)))
  t.match(await take(1), { status: 'created' })
  await term?.store.openSlot(signed(8, [`${two}`]))
  t.match(await take(2, others[1]), { status: 'created' })

  await runSql(url, `${reset} ${END_OTHERS}`)
  await until(async () => (await take(3).catch(() => undefined)) !== undefined, 'the replica accepts again')
})

test('refuses a copied database without sequences, or with some that it may not set', async t => {
  const url = await postgres.createDatabase()
  const store = await openReplica(t, url)
  await store.take([requestOf('one', 'fee-1')])
  await store.close()
  await runSql(url, 'ALTER TABLE submission ALTER COLUMN position RESTART')
  await runSql(
    url,
    `CREATE ROLE reader LOGIN PASSWORD 'reader'; GRANT ALL ON ALL TABLES IN SCHEMA public TO reader;
     GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO reader`
  )
  const limited = Object.assign(new URL(url), { username: 'reader', password: 'reader' }).href
  const repair = "run SELECT setval('public.submission_position_seq', max(position)) FROM submission"
  await t.rejects(openReplica(t, limited), { name: 'DatabaseUnusableError', message: repair })
  await runSql(url, 'ALTER TABLE submission ALTER COLUMN position DROP IDENTITY')
  await t.rejects(openReplica(t, url), { name: 'DatabaseUnusableError', message: /not an identity column/ })
})

test('omits the ids from a notification about many submissions', async t => {
  const url = await postgres.createDatabase()
  const [one, other] = await Promise.all([openReplica(t, url), openReplica(t, url)])
  const heard: Notification[] = []
  other.onNotification(notification => void heard.push(notification))
  const term = await one.lead()
  const names = Array.from({ length: 300 }, (_, index) => `a-name-that-is-as-long-as-a-uuid-${index}`)
  await one.take(names.map(name => ({ ...requestOf('content', name), submissionId: name })))
  await until(() => heard.length === 1, 'the other replica is notified of the queued submissions')
  await term?.store.putWalletState(WALLET_STATE)
  await term?.store.openSlot(signed(7, names))
  const outcomes = names.map(name => committed(name))
  await term?.store.applyBlock(block(101, consumed(7, outcomes)))
  await until(() => heard.length === 2, 'the other replica is notified of the settled submissions')
  t.strictSame(heard, [{ kind: 'queued' }, { kind: 'settled' }])
  t.equal((await other.findSettled(names)).length, 300)
})

test('finding a submission reads few others, however many have the same address', async t => {
  const url = await postgres.createDatabase()
  const store = await openReplica(t, url)
  const insert = `INSERT INTO submission (wallet_id, submission_id, content_hash, type_url, message, status, tx_id, caller,
      created_at, updated_at, origin_address, target_address)
    SELECT 1, 'id-' || n, '', '', '', 'committed', n, CASE n % 2 WHEN 0 THEN 'shop' END, n, 0, '0xab', '0xab'
    FROM generate_series(1, 20000) AS n`
  await runSql(url, insert)
  const { mock: sent } = mock.method(Client.prototype, 'query')
  for (const filter of identifiedFilters) await store.list(filter, 10)
  const queries = sent.calls.map(({ arguments: [query] }) => Object(query))
  const lists = queries.filter(({ text }) => /some_places/.test(text))
  t.equal(lists.length, identifiedFilters.length)
  sent.restore()

  const client = new Client(url)
  await client.connect()
  t.teardown(() => client.end())
  for (const { text, values } of lists) {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    const read = JSON.stringify(rows).matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)
    t.ok(Math.max(...Array.from(read, ([, count]) => Number(count))) <= 30, values.join())
  }
})
