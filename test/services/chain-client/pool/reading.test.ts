import { createNodePool, HistoryPrunedError, newestHeight } from '../../../../services/chain-client/index.ts'
import { keepingLog } from '../../../helpers/keeping-log.ts'
import { test } from '../../../helpers/tap.ts'
import { block, scriptedPool } from './scripted-node.ts'

test('tries the node whose last failure is the oldest if no node is healthy', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  for (const node of [a, b]) node.failing.add('block')
  a.slow.set('block', 3000)
  await t.rejects(answered(pool.block(100)))
  for (const node of [a, b]) node.failing.clear()
  a.slow.clear()
  t.match(await answered(pool.block(100)), { node: 'b' })
})

test('prefers a node that is behind over a node that has just failed', async t => {
  const { pool, a, answered, pass } = await scriptedPool(2)
  a.height += 1000
  await pass(4100)
  a.failing.add('block')
  await t.rejects(answered(pool.block(100)))
  a.failing.clear()
  t.match(await answered(pool.block(100)), { node: 'b' })
})

test('falls back to the next node within a call, and doubles the cooldown of the failing node up to 30 seconds', async t => {
  const { pool, a, answered, pass } = await scriptedPool(2)
  a.failing.add('block')
  const attempts: number[] = []
  for (let seconds = 0; seconds < 120; seconds++) {
    const before = a.asked.length
    await answered(pool.block(100))
    if (a.asked.length > before) attempts.push(seconds)
    await pass(1000)
  }
  const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
  t.ok(
    pauses.every((pause, index) => pause >= Math.min(2 ** index, 30)),
    `${pauses}`
  )
  t.ok(Math.max(...pauses) <= 34, `${pauses}`)
  a.failing.clear()
  await pass(34_000)
  t.match(await answered(pool.block(100)), { node: 'a' })
})

test('keeps using a node for other methods after one method fails', async t => {
  const { pool, a, answered } = await scriptedPool(2)
  a.failing.add('block')
  await answered(pool.block(100))
  await answered(pool.broadcast(new Uint8Array()))
  t.strictSame(a.asked, ['block', 'broadcast'])
})

test('keeps using a failing node if it is the only one', async t => {
  const { pool, a, answered } = await scriptedPool(1)
  a.failing.add('block')
  for (let times = 0; times < 5; times++) await t.rejects(answered(pool.block(100)))
  a.failing.clear()
  t.match(await answered(pool.block(100)), { node: 'a' })
  t.match(pool.health(), [{ reading: true, sending: true }])
})

test('tries the next node after two seconds without a response', async t => {
  const { pool, a, clock, answered } = await scriptedPool(2)
  a.slow.set('block', 60_000)
  const before = clock.elapsed()
  const alone = { node: 'b', witness: undefined }
  t.match(await answered(pool.block(100)), alone, 'a node does not confirm its own block')
  t.equal(clock.elapsed() - before, 2000)
  await answered(pool.block(99))
  t.equal(clock.elapsed() - before, 2000, 'the slow node is skipped afterwards')
})

test('waits for a slow node if it is the only one, and still treats it as healthy', async t => {
  const { pool, a, clock, answered } = await scriptedPool(1)
  a.slow.set('block', 8000)
  t.match(await answered(pool.block(100)), { node: 'a' })
  t.ok(clock.elapsed() >= 8000)
  t.match(pool.health(), [{ reading: true }])
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

test('accepts a lower height from a node that overstated its height', async t => {
  const { pool, a, pass } = await scriptedPool(2)
  a.height = 1000
  await pass(4100)
  t.match(pool.health(), [{ reading: true }, { reading: false }])
  a.height = 100
  await pass(4100)
  t.match(pool.health(), [{ height: 100 }, { reading: true }])
})

test('a late success of an earlier call does not clear a newer failure', async t => {
  const { pool, a, answered } = await scriptedPool(2)
  a.slow.set('block', 1500)
  const early = pool.block(100)
  a.slow.clear()
  a.failing.add('block')
  t.match(await answered(pool.block(99)), { node: 'b' })
  a.failing.clear()
  t.match(await answered(early), { node: 'a' })
  t.match(pool.health(), [{ reading: false, fault: /no block/ }, {}])
})

test('requests the status again once another call succeeds', async t => {
  const { pool, a, answered, pass } = await scriptedPool(1)
  a.failing.add('status')
  await pass(100_000)
  a.failing.clear()
  await answered(pool.block(100))
  a.height = 101
  await pass(2100)
  t.match(pool.health(), [{ height: 101 }])
})

test('uses a node that is a few blocks behind', async t => {
  const { pool, b, pass } = await scriptedPool(2)
  b.height = 103
  await pass(4100)
  t.match(pool.health(), [
    { height: 100, reading: true },
    { height: 103, reading: true }
  ])
})

test('reads from other nodes if one node lacks the blocks it claims to have', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  b.height = 104
  b.onBlock = height => (height <= 100 ? block(height) : undefined)
  await pass(4100)
  t.equal(await answered(pool.block(101)), undefined)
  t.match(pool.health()[1], { reading: true }, 'machines behind one URL differ by up to three blocks')
  b.height = 1_000_000
  await pass(4100)
  t.equal(await answered(pool.block(101)), undefined)
  t.match(pool.health()[1], { reading: false, fault: /does not have block 101/ })
  await pass(2100)
  a.height = 101
  t.match(await answered(pool.block(101)), { node: 'a' })
})

test('waits for another advancing node to confirm a block', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  a.height = 101
  await pass(2100)
  t.match(await answered(pool.block(101)), { node: 'a', isAwaited: true, witness: undefined })
  b.height = 101
  t.match(await answered(pool.block(101)), { node: 'a', isAwaited: undefined, witness: { node: 'b' } })
})

/**
 * Node b's block interval, a time after which the pool still waits for node b, and the further time after which the
 * pool no longer waits.
 */
const STANDSTILLS: [name: string, blockMs: number | undefined, awaitedMs: number, overMs: number][] = [
  ['waits 30 seconds for a node with an unknown block time', undefined, 26_000, 4000],
  ['waits 10 seconds for a node with fast blocks', 500, 7000, 3000],
  ['waits four blocks for a node with slow blocks', 5000, 16_000, 4000]
]
for (const [name, blockMs, awaitedMs, overMs] of STANDSTILLS) {
  test(name, async t => {
    const { pool, a, b, clock, answered, pass } = await scriptedPool(2)
    const [start, { status }] = [clock.now(), { ...b }]
    if (blockMs) {
      b.status = async () => ({ ...(await status()), blockTime: start + blockMs * (b.height - 100) })
      await pass(3900)
      b.height = 101
      await pass(2000)
    }
    a.height = 102
    await pass(awaitedMs)
    t.match(await answered(pool.block(102)), { isAwaited: true })
    await pass(overMs)
    t.match(await answered(pool.block(102)), { isAwaited: false })
  })
}

test('stops waiting for a witness after 30 seconds, or if the witness is syncing', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  a.height = 200
  await pass(2100)
  t.match(await answered(pool.block(200)), { isAwaited: true })
  for (let seconds = 0; seconds < 32; seconds += 4) {
    await pass(4000)
    b.height += 1
  }
  t.match(await answered(pool.block(200)), { isAwaited: false })
  b.catchingUp = true
  await pass(2100)
  t.match(await answered(pool.block(199)), { isAwaited: false })
})

test('stops requesting pruned blocks from a node', async t => {
  const { pool, a, answered } = await scriptedPool(2)
  a.onBlock = height => {
    if (height < 90) throw new HistoryPrunedError(height, 90)
    return block(height)
  }
  t.match(await answered(pool.block(50)), { node: 'b' })
  t.match(await answered(pool.block(51)), { node: 'b' })
  t.equal(a.asked.length, 1, 'the pruned range is remembered')
  t.match(await answered(pool.block(95)), { node: 'a' })
  t.match(pool.health(), [{ earliestHeight: 90, reading: true }, {}])
})

test('does not wait for a witness that has pruned the block', async t => {
  const { pool, b, answered } = await scriptedPool(2)
  b.onBlock = height => {
    throw new HistoryPrunedError(height, 90)
  }
  t.match(await answered(pool.block(50)), { node: 'a', witness: undefined, isAwaited: false })
})

test('waits one second for a witness that does not respond, and skips it afterwards', async t => {
  const { pool, b, clock, answered } = await scriptedPool(2)
  b.slow.set('block', 60_000)
  const before = clock.elapsed()
  for (const height of [99, 100])
    t.match(await answered(pool.block(height)), { node: 'a', witness: undefined })
  t.equal(clock.elapsed() - before, 1000)
  t.match(pool.health(), [{ reading: true }, { reading: false, fault: 'did not respond in time' }])
})

test('skips a node that is still syncing', async t => {
  const { pool, a, answered, pass } = await scriptedPool(2)
  a.catchingUp = true
  await pass(2100)
  t.match(await answered(pool.block(100)), { node: 'b' })
})

test('reads from the status which blocks a node has pruned', async t => {
  const { pool, a, answered, pass } = await scriptedPool(2)
  a.earliestHeight = 90
  await pass(2100)
  t.match(await answered(pool.block(50)), { node: 'b' })
  t.equal(a.asked.length, 0)
})

test('reports a block as pruned only after an unavailable node has failed several times', async t => {
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

test('detects another chain within a call', async t => {
  const { pool, a, answered } = await scriptedPool(2)
  pool.expectChain('chain-1')
  a.chainId = 'chain-2'
  t.match(await answered(pool.block(100)), { node: 'b', chainId: 'chain-1' })
  t.match(pool.health(), [{ reading: false, fault: 'has blocks from another chain' }, {}])
})

test('returns responses from another chain if there is only one node', async t => {
  const { pool, a, answered } = await scriptedPool(1)
  pool.expectChain('chain-1')
  a.chainId = 'chain-2'
  t.match(await answered(pool.status()), { chainId: 'chain-2' })
  t.match(await answered(pool.block(100)), { chainId: 'chain-2', node: 'a' })
})

test('uses a distrusted node only after all others have failed', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  t.equal(pool.distrust('a', 'is on a fork'), true)
  t.equal(pool.distrust('a', 'is on a fork'), false)
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
  t.equal(pool.distrust('a', 'is on a fork'), true)
  await pass(31_000)
  t.match(pool.health(), [{ reading: false, fault: 'is on a fork' }, {}], 'the second distrust lasts longer')
  await pass(29_000)
  for (const seconds of [120, 240, 480, 600, 600]) {
    t.equal(pool.distrust('a', 'is on a fork'), true)
    await pass(1000 * seconds - 1)
    t.equal(pool.distrust('a', 'is on a fork'), false)
    await pass(1)
  }
})

test('gives two nodes on the same host different names', async t => {
  const { a, b, clock, answered } = await scriptedPool(2)
  const pool = createNodePool({ nodes: [a, { ...b, host: 'a' }], clock })
  a.failing.add('block')
  const found = await answered(pool.block(100))
  t.equal(found?.node, 'a (2)')
  t.equal(pool.distrust('a (2)', 'is on a fork'), true)
})

test('logs when a node is skipped and used again, and reports the duration and the result of each request', async t => {
  const { a, b, clock, answered, pass } = await scriptedPool(2)
  const { log, entries } = keepingLog()
  const requests: [node: string, request: string, result: string, seconds: number][] = []
  const { status } = b
  b.status = async () => ({ ...(await status()), blockTime: clock.now() - 60_000 })
  const pool = createNodePool({ nodes: [a, b], clock, log, observe: (...request) => requests.push(request) })
  t.match(pool.health(), [{ height: undefined, blockAgeMs: undefined }, {}])
  t.equal(newestHeight(pool.health()), undefined)
  await pass(1)
  t.match(pool.health(), [{ height: 100 }, { blockAgeMs: 60_001 }])
  a.slow.set('block', 1500)
  a.failing.add('block')
  await answered(pool.block(100))
  await answered(pool.block(99))
  const skipped = { node: 'a', use: 'reading', reason: 'RPC node a is unavailable: no block' }
  t.strictSame(entries, [{ level: 'warn', fields: skipped, message: 'RPC node skipped' }])
  a.failing.clear()
  a.onBlock = height => {
    throw new HistoryPrunedError(height, 100)
  }
  await pass(4000)
  t.match(entries.slice(1), [{ level: 'info', message: 'RPC node back in use' }])
  await answered(pool.block(98))
  const ofBlocks = requests.filter(([node, request]) => node === 'a' && request === 'block')
  t.strictSame(ofBlocks, [
    ['a', 'block', 'unavailable', 1.5],
    ['a', 'block', 'pruned', 1.5]
  ])
  a.failing.add('block')
  const late = answered(pool.block(100))
  await pool.close()
  await late
  t.equal(entries.length, 2, 'logs nothing after it is closed')
})

test('reports the age of the newest block and the block interval', async t => {
  const { pool, a, pass } = await scriptedPool(1)
  await pass(2100)
  a.height = 104
  await pass(2000)
  t.match(pool.health(), [{ height: 104, blockAgeMs: Number, blockIntervalMs: 500 }])
  await pass(60_000)
  const [health] = pool.health()
  t.ok((health?.blockAgeMs ?? 0) >= 59_000, `${health?.blockAgeMs}`)
})

test('polls an unresponsive node with increasing pauses', async t => {
  const { a, pass } = await scriptedPool(1)
  let questions = 0
  a.status = async () => {
    questions += 1
    throw new Error('no response')
  }
  await pass(300_000)
  t.ok(questions >= 10 && questions <= 17, `${questions} status requests`)
})

test('sends one status request at a time, and none after close', async t => {
  const { pool, a, pass } = await scriptedPool(1)
  let [open, most, questions] = [0, 0, 0]
  const { status } = a
  a.slow.set('status', 5000)
  a.status = () => {
    questions += 1
    open += 1
    most = Math.max(most, open)
    return status().finally(() => (open -= 1))
  }
  await pass(60_000)
  t.equal(most, 1)
  await pool.close()
  await pass(10_000)
  const before = questions
  await pass(60_000)
  t.equal(questions, before)
})
