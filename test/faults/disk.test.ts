import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { startFaultyNetwork } from './faulty-network.ts'
import { createFileSizeLimit } from './file-size-limit.ts'

test('a full disk closes intake until there is space, and loses no submission', async t => {
  const disk = createFileSizeLimit(t)
  const network = await startFaultyNetwork(t)
  const { control, devnet, submit, submitMany, settled, engine, assertExactlyOnce } = network
  await settled(await submitMany(3))

  control.pause()
  const waiting: Awaited<ReturnType<typeof submitMany>> = []
  for (let sent = 1; sent <= 3; sent++) {
    waiting.push(await submit())
    await until(() => devnet.chain.mempool.size === sent, 'the node has checked the transaction')
  }
  const { height } = engine.health()
  disk.full()
  // The first write to fail is either this one or a write by the leader.
  await t.rejects(submit(), { code: /^(SUBMISSION_UNKNOWN|INTAKE_CLOSED)$/, statusCode: 503 })
  await t.rejects(submit(), { code: 'INTAKE_CLOSED', statusCode: 503, headers: { 'retry-after': /\d/ } })
  control.produceBlocks(3)
  t.equal(devnet.chain.mempool.size, 0)
  await t.rejects(submit(), { code: 'INTAKE_CLOSED' })
  t.equal(engine.health().height, height, 'no block counts as applied')

  disk.free()
  control.resume()
  await settled(waiting)
  await submitMany(3)
  t.strictSame(await assertExactlyOnce(), { committed: 9 })
})

for (const gone of ['submissions.db', 'submissions.db-wal']) {
  test(`rejects submissions while ${gone} is missing, until it is restored`, async t => {
    const network = await startFaultyNetwork(t)
    const { devnet, directory, submit, submitMany, settled, engine, assertExactlyOnce } = network
    await settled(await submitMany(3))
    const [path, elsewhere] = [join(directory, gone), join(directory, 'elsewhere')]
    renameSync(path, elsewhere)
    await t.rejects(submit(), { code: 'INTAKE_CLOSED', statusCode: 503 })
    const { height } = engine.health()
    const next = devnet.chain.height + 3
    await until(() => devnet.chain.height >= next, 'the chain has three more blocks')
    t.equal(engine.health().height, height, 'no block counts as applied')
    t.equal(devnet.chain.mempool.size, 0)

    renameSync(elsewhere, path)
    await settled(await submitMany(3))
    t.strictSame(await assertExactlyOnce(), { committed: 6 })
  })
}
