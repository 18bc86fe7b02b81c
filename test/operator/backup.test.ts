import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createFileSizeLimit } from '../faults/file-size-limit.ts'
import { startNetwork, temporaryFolder } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { operatorTool } from '../helpers/operator.ts'
import { test } from '../helpers/tap.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

const { sqlite, postgres } = await durableStores()

test('backup copies a store in use, and a server can start on the copy', async t => {
  const place = await sqlite.newPlace(t)
  const devnet = await startNetwork(t)
  const { engine, submit, stop } = await startEngine(t, devnet, { open: place.open })
  const { submissionId } = await submit('before')
  const before = await engine.settled(submissionId, PATIENCE_MS)
  const writing = Promise.all(['a', 'b', 'c'].map(feeId => submit(feeId)))
  const directory = temporaryFolder(t)
  chmodSync(directory, 0o755)
  const file = join(directory, 'submissions.db')
  const tool = operatorTool(t, devnet, place.env)
  t.match(await tool('backup', file), { code: 0, out: /^Copied the store to .* \(\d+ bytes\)\.\n$/ })
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.match(await tool('backup', file), { code: 1, err: /: the file exists\n$/ })
  await writing
  await engine.settled((await submit('after')).submissionId, PATIENCE_MS)
  await stop()

  const copy = operatorTool(t, devnet, { SERVICE_DATA_DIR: directory })
  t.match(JSON.parse((await copy('show', submissionId, '--json')).out), { status: 'committed' })
  const restored = await startEngine(t, devnet, { directory })
  t.match(await restored.engine.find(submissionId), before)
  const adopted = await until(async () => {
    const { code, out } = await copy('show', 'after', '--json')
    return code === 0 && JSON.parse(out)
  }, 'the copy has what was executed after the backup')
  t.match(adopted.timeline.slice(0, 2), [{ what: 'adopted' }, { what: 'committed' }])
})

test('a failed backup reports the reason, and leaves no file', async t => {
  const place = await sqlite.newPlace(t)
  const devnet = await startNetwork(t)
  await startEngine(t, devnet, { open: place.open })
  const folder = temporaryFolder(t)
  const tool = operatorTool(t, devnet, place.env)
  const disk = createFileSizeLimit(t)
  disk.full()
  const full = await tool('backup', join(folder, 'copy.db'))
  disk.free()
  const err = /could not be copied to .*copy\.db: .*\(SQLITE_(FULL|IOERR\w*)\)\n$/
  t.match(full, { code: 1, out: '', err })
  t.strictSame(readdirSync(folder), [])
  t.match(await tool('backup', join(folder, 'none', 'copy.db')), { code: 1, err: /\(ENOENT\)\n$/ })

  const { env } = await postgres.newPlace(t)
  const inDatabase = await operatorTool(t, devnet, env)('backup', join(folder, 'copy.db'))
  t.match(inDatabase, { code: 1, err: 'the store is in a database: back it up with pg_dump\n' })
})
