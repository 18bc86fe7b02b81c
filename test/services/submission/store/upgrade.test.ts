import { createHash } from 'node:crypto'
import { join } from 'node:path'
import Database from 'libsql'
import { Client } from 'pg'
import type { Devnet } from '../../../../packages/devnet/index.ts'
import { LOCKS } from '../../../../services/submission/store/postgres/connection.ts'
import { inPostgres } from '../../../../services/submission/store/postgres/schema.ts'
import { migrationsAfter, SCHEMA_VERSION, schema } from '../../../../services/submission/store/schema.ts'
import { openDatabase } from '../../../../services/submission/store/sqlite/database.ts'
import { startNetwork, temporaryFolder } from '../../../helpers/app.ts'
import { durableStores, eachStore, type StorePlace } from '../../../helpers/durable-stores.ts'
import { operatorTool } from '../../../helpers/operator.ts'
import { runSql } from '../../../helpers/postgres.ts'
import { read } from '../../../helpers/repository.ts'
import { rpc } from '../../../helpers/rpc.ts'
import { test } from '../../../helpers/tap.ts'
import { assertAllExecutedOnce } from '../../../operator/open-slots.ts'
import { openReplica } from './postgres/replicas.ts'

/** The tables of version 0.2.0, and a hash of them. A released schema never changes: each change is a migration. */
const TABLES = schema.replace(`;${migrationsAfter(7)}`, '')
const RELEASED = '14d0b85331ef29a06a7fb8161abd18aa6f2059ec52f2d4f1306607ba49f6c77d'

const ROWS = read('test/services/submission/store/store-0.2.0.sql')

const ADDRESS = /'(service1\w+)'/.exec(ROWS)?.[1] ?? ''

const fees = ROWS.matchAll(/'fee:(\w+)', '([\w-]+)'/g)
const ids = Object.fromEntries(Array.from(fees, ([, fee = '', id = '']) => [fee, id]))

const toUpgrade = `has schema 7, and this version reads schema ${SCHEMA_VERSION}: start a server of this version, which`

const SQLITE = `${TABLES};${ROWS}`

const POSTGRES = `${inPostgres(SQLITE)
  .replaceAll(/^ {2}VALUES/gm, '  OVERRIDING SYSTEM VALUE VALUES')
  .replaceAll(/X'(\w+)'/g, "'\\x$1'")
  .replace("VALUES (1, '', 0)", `VALUES (1, '${ADDRESS}', 0)`)
  .replace(/PRAGMA user_version = (\d+)/, 'CREATE TABLE schema_version AS SELECT $1 AS version')}`

/** Executes the transaction of slot 0 in the store's last block, and that of slot 1 in a block that it has not read. */
async function executeOn(devnet: Devnet, place: StorePlace): Promise<void> {
  const signed = [...ROWS.matchAll(/INTO signed_tx .*\n.*X'(\w+)'/g)]
  for (const [, hex = ''] of signed.slice(0, 2)) {
    await rpc(devnet.urls.rpc, 'broadcast_tx_sync', { tx: Buffer.from(hex, 'hex').toString('base64') })
    devnet.control.produceBlocks(1)
  }
  const { result } = await rpc(devnet.urls.rpc, 'block', { height: String(devnet.chain.height) })
  const { header } = Object(result?.['block'])
  const height = devnet.chain.height - 1
  await place.execute(`UPDATE wallet_state SET cursor_height = ${height}, cursor_hash = '${header.last_block_id.hash}',
      cursor_results_hash = '${header.last_results_hash}';
    UPDATE slot SET height = ${height} WHERE sequence = 0;
    UPDATE submission SET height = ${height} WHERE sequence = 0`)
}

await eachStore('upgrades a store of version 0.2.0, and executes nothing twice', async (t, place) => {
  const devnet = await startNetwork(t)
  devnet.control.pause()
  await place.execute(place.kind === 'sqlite' ? SQLITE : POSTGRES)
  await executeOn(devnet, place)
  const tool = operatorTool(t, devnet, place.env)
  for (const command of [['list'], ['redeliver', '--abandoned']])
    t.match(await tool(...command), { code: 1, err: toUpgrade })
  t.match(await tool('doctor'), { out: /^! store: has schema 7, and this version reads/m })

  const { refused, ...open } = ids
  const settled = await assertAllExecutedOnce(t, devnet, { place, ids: open })
  t.match(settled.get('done'), { status: 'committed', txId: 1 })
  t.match(settled.get('executed'), { status: 'committed', txId: 2 })
  t.match(JSON.parse((await tool('show', `${refused}`, '--json')).out), { status: 'rejected' })
})

test('an upgraded store has the tables of a new one, and those of 0.2.0 never change', async t => {
  const tablesOf = (file: Database.Database) =>
    file.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all([])
  const [upgraded, fresh] = [SQLITE, ''].map(start => {
    const folder = temporaryFolder(t)
    const file = new Database(join(folder, 'submissions.db'))
    file.exec(start)
    const hash = createHash('sha256')
      .update(JSON.stringify(tablesOf(file)))
      .digest('hex')
    if (start) t.equal(hash, RELEASED, 'a change of the tables is a migration')
    file.close()
    const { connection, close } = openDatabase(folder)
    const tables = tablesOf(connection)
    close()
    return tables
  })
  t.strictSame(upgraded, fresh)
})

test('an upgrade ends older servers’ connections and uncommitted transactions', async t => {
  const place = await (await durableStores()).postgres.newPlace(t)
  const url = `${place.env['DATABASE_URL']}`
  await place.execute(POSTGRES)
  const older = new Client(url)
  older.on('error', () => {})
  await older.connect()
  await older.query(`SELECT pg_advisory_lock_shared(${LOCKS.use}, 0), pg_advisory_lock(${LOCKS.lead}, 1)`)
  await older.query("BEGIN; UPDATE submission SET error = 'by the older server'")
  const ended = new Promise(resolve => older.once('end', resolve))

  const replicas = await Promise.all([1, 2, 3].map(() => openReplica(t, url, { owner: ADDRESS })))
  await ended
  t.strictSame(await runSql(url, 'SELECT version FROM schema_version'), [{ version: SCHEMA_VERSION }])
  t.strictSame(await runSql(url, "SELECT FROM submission WHERE error = 'by the older server'"), [])
  t.ok(await replicas[0]?.lead(), 'the older server leads no longer')
})
