import { createNodePool, HistoryPrunedError, newestHeight } from '../../../../services/chain-client/index.ts'
import { test } from '../../../helpers/tap.ts'
import { scriptedPool } from './scripted-node.ts'

test('tries the next node after two seconds without a response', async t => {
  const { pool, a, clock, answered } = await scriptedPool(2)
  a.slow.set('block', 60_000)
  const before = clock.elapsed()
  const alone = { node: 'b', second: undefined }
  t.match(await answered(pool.block(100)), alone, 'a node does not confirm its own block')
  t.equal(clock.elapsed() - before, 2000)
  await answered(pool.block(99))
  t.equal(clock.elapsed() - before, 2000, 'the slow node is skipped afterwards')
})

test('uses a late response while it waits for the next node', async t => {
  const { pool, a, b, clock, answered } = await scriptedPool(3)
  a.slow.set('block', 3000)
  b.slow.set('block', 60_000)
  const before = clock.elapsed()
  t.match(await answered(pool.block(100)), { node: 'a' })
  t.equal(clock.elapsed() - before, 3000)
})

test('skips a stalled node for reading and sending', async t => {
  const { pool, a, b, answered, pass, changes } = await scriptedPool(2)
  await answered(pool.broadcast(new Uint8Array()))
  pool.onNewBlock(() => {})
  b.announce(101)
  t.match(await answered(pool.block(101)), { node: 'b' }, 'an announced block is read immediately')
  for (const height of [102, 103, 104, 105]) b.announce(height)
  await pass(2100)
  const fault = 'is 5 blocks behind another node'
  t.match(pool.health(), [
    { host: 'a', height: 100, reading: false, sending: false, fault },
    { host: 'b', height: 105, reading: true, sending: true }
  ])
  t.equal(changes(), 1)
  a.announce(105)
  await pass(2100)
  t.match(await answered(pool.block(105)), { node: 'a' })
  t.equal(changes(), 2)
})

test('waits up to 30 seconds for another advancing node to confirm a block', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  a.height = 101
  await pass(26_000)
  t.match(await answered(pool.block(101)), { node: 'a', isAwaited: true, second: undefined })
  await pass(4000)
  t.match(await answered(pool.block(101)), { isAwaited: false })
  b.height = 101
  t.match(await answered(pool.block(101)), { node: 'a', isAwaited: undefined, second: { node: 'b' } })
})

test('reports a block as pruned only after an unavailable node has failed repeatedly', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  a.onBlock = height => {
    throw new HistoryPrunedError(height, 90)
  }
  b.failing.add('block')
  const errors: unknown[] = []
  for (let times = 0; times < 4; times++) {
    await answered(pool.block(50)).catch(error => errors.push(error))
  }
  t.match(errors[0], { name: 'NodeUnavailableError' })
  t.match(errors.at(-1), { name: 'HistoryPrunedError', lowest: 90 })
})

test('skips a node while it reports another chain', async t => {
  const { pool, a, answered, pass } = await scriptedPool(2)
  a.chainId = 'chain-2'
  a.height = 1000
  await pass(2100)
  pool.expectChain('chain-1')
  t.match(pool.health(), [{ height: 1000, reading: false, sending: false }, { reading: true }])
  t.equal(newestHeight(pool.health()), 100)
  t.match(await answered(pool.status()), { chainId: 'chain-1' })
  t.match(await answered(pool.block(100)), { node: 'b' })
  await answered(pool.broadcast(new Uint8Array()))
  t.strictSame(a.asked, [])
  a.chainId = 'chain-1'
  await pass(2100)
  t.match(await answered(pool.block(100)), { node: 'a' })
})

test('uses a quarantined node only after all others have failed', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  t.equal(pool.quarantine('a', 'is on a fork'), true)
  t.equal(pool.quarantine('a', 'is on a fork'), false)
  t.match(await answered(pool.block(100)), { node: 'b' })
  b.failing.add('block')
  await t.rejects(answered(pool.block(100)))
  await t.rejects(answered(pool.block(100)))
  t.equal(a.asked.length, 0)
  await t.rejects(answered(pool.block(100)))
  t.match(await answered(pool.block(100)), { node: 'a' })
  await pass(31_000)
  b.failing.clear()
  t.match(await answered(pool.block(100)), { node: 'a' }, 'node a is trusted again')
  t.equal(pool.quarantine('a', 'is on a fork'), true)
  await pass(31_000)
  t.match(pool.health(), [{ reading: false, fault: 'is on a fork' }, {}], 'the second lasts longer')
  await pass(29_000)
  for (const seconds of [120, 240, 480, 600, 600]) {
    t.equal(pool.quarantine('a', 'is on a fork'), true)
    await pass(1000 * seconds - 1)
    t.equal(pool.quarantine('a', 'is on a fork'), false)
    await pass(1)
  }
})

test('wakes the reader at most once per node until the next block is read', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  let woken = 0
  pool.onNewBlock(() => {
    woken += 1
  })
  for (let height = 101; height < 4000; height += 1) a.announce(height)
  for (const height of [99, 5000, 99, 5001]) a.announce(height)
  t.equal(woken, 1)
  b.announce(101)
  t.equal(woken, 2, 'another node can still wake the reader')
  await answered(pool.block(101))
  b.announce(102)
  t.equal(woken, 3)
})

test('gives two nodes on the same host different names', async t => {
  const { a, b, clock, answered } = await scriptedPool(2)
  const pool = createNodePool({ nodes: [a, { ...b, host: 'a' }], clock })
  a.failing.add('block')
  const found = await answered(pool.block(100))
  t.equal(found?.node, 'a (2)')
  t.equal(pool.quarantine('a (2)', 'is on a fork'), true)
})

test('uses a recovered node again, however often it has failed', async t => {
  const { pool, a, answered, pass } = await scriptedPool(2)
  for (let times = 0; times < 5; times += 1) {
    a.failing.add('block')
    t.match(await answered(pool.block(100)), { node: 'b' })
    a.failing.clear()
    await pass(4000)
    t.match(await answered(pool.block(100)), { node: 'a' })
  }
})
