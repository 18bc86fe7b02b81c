import { join } from 'node:path'
import { atomically, openDatabase } from '../../../../services/submission/store/sqlite/database.ts'
import { test } from '../../../helpers/tap.ts'

test('a data directory is used by one process at a time', async t => {
  const directory = t.testdir()
  const first = openDatabase(directory)
  t.throws(() => openDatabase(directory), {
    name: 'DataDirectoryError',
    message: /in use by another process/
  })
  first.close()
  openDatabase(directory).close()
})

test('every commit is flushed to the disk', async t => {
  const { connection, close } = openDatabase(t.testdir())
  t.teardown(close)
  t.match(connection.prepare('PRAGMA synchronous').get({}), { synchronous: 2 }, 'FULL')
  t.match(connection.prepare('PRAGMA journal_mode').get({}), { journal_mode: 'wal' })
})

test('a path that is no directory, no database or from a newer version is an error', async t => {
  const directory = t.testdir({ file: '', broken: { 'submissions.db': 'x'.repeat(5000) } })
  t.throws(() => openDatabase(join(directory, 'file')), { message: /not a directory that can be written/ })
  t.throws(() => openDatabase('/proc/nowhere/data'), { message: /not a directory that can be written/ })
  t.throws(() => openDatabase(join(directory, 'broken')), { message: /no database that can be read/ })
  const newer = openDatabase(join(directory, 'newer'))
  newer.connection.exec('PRAGMA user_version = 99')
  newer.close()
  t.throws(() => openDatabase(join(directory, 'newer')), { message: /newer version \(schema 99\)/ })
})

test('a full disk is named, and the next transaction works once there is room', async t => {
  const { connection, close } = openDatabase(t.testdir())
  t.teardown(close)
  connection.exec('CREATE TABLE filler (text TEXT)')
  const fill = () =>
    atomically(connection, () => connection.exec('INSERT INTO filler VALUES (hex(randomblob(1000000)))'))
  connection.exec('PRAGMA max_page_count = 100')
  await t.rejects(fill(), { code: 'SQLITE_FULL', message: 'database or disk is full' })
  connection.exec('PRAGMA max_page_count = 10000')
  await fill()
  t.match(connection.prepare('SELECT count(*) AS count FROM filler').get({}), { count: 1 })
})
