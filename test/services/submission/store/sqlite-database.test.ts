import { randomUUID } from 'node:crypto'
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { openDatabase, openForReading } from '../../../../services/submission/store/sqlite/database.ts'
import { createSqliteStore } from '../../../../services/submission/store/sqlite/index.ts'
import { temporaryFolder } from '../../../helpers/app.ts'
import { leadingStore } from '../../../helpers/durable-stores.ts'
import { evaluating, run } from '../../../helpers/repository.ts'
import { test } from '../../../helpers/tap.ts'
import { until } from '../../../helpers/until.ts'
import { block, committed, consumed, request, signed, WALLET_STATE } from '../store-data.ts'
import { requestOf } from './postgres/replicas.ts'

test('lets only one process use a data directory', async t => {
  const directory = t.testdir()
  const first = openDatabase(directory)
  t.throws(() => openDatabase(directory), { name: 'DataDirectoryError', message: /in use by another server/ })
  // The rejected attempt ran in this process. On POSIX, closing a file releases all of the process's locks on it, so an
  // attempt from another process must still be rejected.
  const open = `import { openDatabase } from '${import.meta.resolve('../../../../services/submission/store/sqlite/database.ts')}'
    openDatabase(process.argv[1])`
  const other = run(process.execPath, [...evaluating(open), directory])
  t.match(await other.catch(({ stderr }) => stderr), /in use by another server/)
  first.close()
  openDatabase(directory).close()
})

test('reports why a data directory that is not in use cannot be locked', async t => {
  const directory = t.testdir({ 'lock.db': 'x'.repeat(5000) })
  t.throws(() => openDatabase(directory), { message: /cannot be locked: file is not a database/ })
})

test('waits for another program’s lock up to 5 seconds, without blocking anything else', async t => {
  const directory = temporaryFolder(t)
  const store = createSqliteStore(directory)
  t.teardown(store.close)
  const other = new Database(join(directory, 'submissions.db'))
  t.teardown(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  let turns = 0
  const turning = setInterval(() => {
    turns += 1
  }, 20)
  t.teardown(() => clearInterval(turning))
  const waiting = store.take([requestOf('content', 'waiting')])
  await until(() => turns > 5, 'other work goes on')
  other.exec('COMMIT')
  t.match(await waiting, [{ status: 'created' }])

  other.exec('BEGIN IMMEDIATE')
  const locked = { name: 'StoreUnavailableError', message: 'the database is locked by another program' }
  const attempts = ['one', 'two', 'three'].map(fee => store.take([requestOf('content', fee)]))
  const start = performance.now()
  for (const attempt of attempts) await t.rejects(attempt, locked)
  t.ok(performance.now() - start < 10_000, 'calls that wait together wait once')
  other.exec('COMMIT')
  t.match(await store.take([requestOf('content', 'one')]), [{ status: 'created' }])
})

test('leaves a complete database file on close, even while another program reads it', async t => {
  const [directory, copy] = [temporaryFolder(t), temporaryFolder(t)]
  const { connection, close } = openDatabase(directory, reason => t.fail(reason))
  connection.exec("CREATE TABLE kept (text TEXT); INSERT INTO kept VALUES ('kept')")
  const reader = openForReading(directory)
  t.teardown(reader.close)
  close()
  copyFileSync(join(directory, 'submissions.db'), join(copy, 'submissions.db'))
  const copied = openDatabase(copy)
  t.teardown(copied.close)
  t.match(copied.connection.prepare('SELECT text FROM kept').get({}), { text: 'kept' })
})

test('refuses a database restored next to a newer WAL file until that is removed', async t => {
  const [directory, restored, empty] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)]
  const { connection, close } = openDatabase(directory)
  t.teardown(close)
  const copy = (name: string) => copyFileSync(join(directory, name), join(restored, name))
  connection.exec('CREATE TABLE kept (id TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID')
  const insert = connection.prepare('INSERT INTO kept (id, text) VALUES (?, ?)')
  const fill = () => {
    for (let row = 0; row < 100; row++) insert.run(randomUUID(), 'x'.repeat(300))
  }
  fill()
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  copy('submissions.db')
  fill()
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  for (let row = 0; row < 20; row++) insert.run(randomUUID(), 'only in the log')
  copy('submissions.db-wal')

  const backup = readFileSync(join(restored, 'submissions.db'))
  const message = /has a damaged submissions\.db: .* submissions\.db-wal from another time/
  t.throws(() => openDatabase(restored), { name: 'DataDirectoryError', message })
  t.same(readFileSync(join(restored, 'submissions.db')), backup)

  copyFileSync(join(restored, 'submissions.db'), join(empty, 'submissions.db'))
  const alone = openDatabase(empty)
  t.teardown(alone.close)
  t.match(alone.connection.prepare('SELECT count(*) AS kept FROM kept').get({}), { kept: 100 })
})

test('rejects an invalid directory or database, and one of another server version', async t => {
  const directory = t.testdir({ file: '', broken: { 'submissions.db': 'x'.repeat(5000) } })
  t.throws(() => openDatabase(join(directory, 'file')), { message: /not a writable directory/ })
  t.throws(() => openDatabase('/proc/nowhere/data'), { message: /not a writable directory/ })
  const broken = { message: /cannot be opened: file is not a database/ }
  t.throws(() => openDatabase(join(directory, 'broken')), broken)
  for (const [version, reason] of [
    [1, 'which is older than 0.2.0 and cannot be upgraded: start the version'],
    [99, 'but this version knows only schemas up to .*: a newer version has upgraded it.*the backup']
  ] as const) {
    const other = openDatabase(join(directory, `${version}`))
    other.connection.exec(`PRAGMA user_version = ${version}`)
    other.close()
    const message = new RegExp(`has schema ${version}, ${reason}`)
    t.throws(() => openDatabase(join(directory, `${version}`)), { message })
  }
})

test('makes all files readable only by the owner, regardless of the umask', async t => {
  const umask = process.umask(0)
  t.teardown(() => process.umask(umask))
  const directory = join(t.testdir(), 'data')
  const modeOf = (name: string) => statSync(join(directory, name)).mode & 0o777
  const modes = () => Object.fromEntries(readdirSync(directory).map(name => [name, modeOf(name)]))
  for (const mode of [0o644, 0o640, 0o600]) {
    const { close } = openDatabase(directory)
    const found = modes()
    t.ok('submissions.db-wal' in found && 'submissions.db-shm' in found && 'lock.db' in found)
    t.strictSame([...new Set(Object.values(found))], [0o600])
    close()
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), mode)
  }
  t.equal(statSync(directory).mode & 0o777, 0o700)
})

test('a stored string that is not valid UTF-8 affects only its own settled submission', async t => {
  const directory = temporaryFolder(t)
  const file = () => new Database(join(directory, 'submissions.db'))
  const store = await leadingStore(createSqliteStore(directory))
  await store.putWalletState(WALLET_STATE)
  const columns = file()
    .prepare('SELECT * FROM submission')
    .columns()
    .flatMap(({ name, type }) => (type === 'TEXT' && !/^(submission_id|status)$/.test(name) ? name : []))
  await store.take(columns.map(name => request(name)))
  const ids = columns.map(name => `id-${name}`)
  await store.openSlot(signed(7, ids))
  const outcomes = ids.map((id, index) => committed(id, index + 1))
  await store.applyBlock(block(101, consumed(7, outcomes)))
  await store.close()
  // libsql aborts the process when it reads such a value as text.
  const invalid = (name: string) => `${name} = coalesce(${name}, '') || CAST(x'ff' AS TEXT)`
  const damage = columns.map(
    name => `UPDATE submission SET ${invalid(name)} WHERE submission_id = 'id-${name}'`
  )
  file().exec(`PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; ${damage.join(';')}`)
  const again = createSqliteStore(directory)
  t.teardown(again.close)
  t.ok(columns.includes('type_url'))
  for (const name of columns) {
    const found = await again.find(`id-${name}`).catch(error => error)
    const isNeeded = ['transaction_hash', 'events'].includes(name)
    t.match(found, isNeeded ? { name: 'StoreCorruptError' } : { submissionId: `id-${name}` }, name)
  }
})
