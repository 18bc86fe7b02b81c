import { createLimiter } from '../../../services/async/limiter.ts'
import { createPoller, type Source } from '../../../services/async/poller.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'
import { createVirtualClock } from '../../simulation/time/virtual-clock.ts'

interface Value {
  step: number
  isFinal?: boolean
}

/** Watches values that the test sets, on a clock that the test advances. */
function createBench(gapMs?: number) {
  const clock = createVirtualClock()
  const values = new Map<string, Value>()
  const { log, entries } = keepingLog()
  const bench = {
    values,
    entries,
    polls: 0,
    begunAt: [] as number[],
    onFind: (_id: string): unknown => undefined,
    run(ms: number): Promise<void> {
      let isOver = false
      clock.after(ms, () => {
        isOver = true
      })
      return clock.run(() => isOver)
    },
    async watch(id: string) {
      const seen: number[] = []
      const leave = poller.watch(id, ({ step }) => seen.push(step), await poller.find(id))
      return { seen, leave }
    }
  }
  const source: Source<Value> = {
    async find(id) {
      bench.polls += 1
      bench.begunAt.push(clock.elapsed())
      const value = values.get(id)
      await bench.onFind(id)
      return value && { ...value }
    },
    isFinal: ({ isFinal }) => isFinal === true,
    isOlder: (next, last) => next.step < last.step
  }
  const limit = gapMs === undefined ? {} : { limit: createLimiter(32, undefined, { gapMs, clock }) }
  const poller = createPoller('value', source, { clock, log, ...limit })
  return Object.assign(bench, { poller })
}

/** Starts to watch the id `a` while its value is at `step`. */
async function watchedBench(step = 1) {
  const bench = createBench()
  bench.values.set('a', { step })
  return { bench, ...(await bench.watch('a')) }
}

test('reports each state once to all watchers, with one poll per second', async t => {
  const bench = createBench()
  bench.values.set('a', { step: 1 })
  const watching = await Promise.all(Array.from({ length: 50 }, () => bench.watch('a')))
  const before = bench.polls
  await bench.run(2_000)
  bench.values.set('a', { step: 2 })
  await bench.run(2_000)
  t.ok(bench.polls - before <= 4, `${bench.polls - before} polls in 4 seconds`)
  for (const { seen } of watching) t.strictSame(seen, [1, 2])
  for (const { leave } of watching) leave()
  const left = bench.polls
  await bench.run(60_000)
  t.equal(bench.polls, left, 'an id without watchers is not polled')
})

test('polls many ids no faster than the limit allows', async t => {
  const bench = createBench(5)
  const names = Array.from({ length: 480 }, (_, index) => `id-${index}`)
  for (const id of names) bench.values.set(id, { step: 1 })
  const watching = await Promise.all(names.map(bench.watch))
  bench.begunAt.length = 0
  await bench.run(10_000)
  for (const id of names) bench.values.set(id, { step: 2, isFinal: true })
  await bench.run(8_000)
  for (const { seen } of watching) t.strictSame(seen, [1, 2])
  const gaps = bench.begunAt.slice(1).map((at, index) => at - (bench.begunAt[index] ?? at))
  t.ok(Math.min(...gaps) >= 4.999, 'every poll waits for its turn', { shortest: Math.min(...gaps) })
  const inASecond = bench.begunAt.filter(at => at >= 3_000 && at < 4_000).length
  t.ok(inASecond > 190, 'and the limit is used', { inASecond })
})

test('polls an unchanged id every 5 seconds, and every second after a change', async t => {
  const { bench } = await watchedBench()
  await bench.run(600_000)
  bench.polls = 0
  await bench.run(60_000)
  t.ok(bench.polls >= 11 && bench.polls <= 13, `${bench.polls} polls in a minute`)
  bench.values.set('a', { step: 2 })
  await bench.run(6_000)
  bench.polls = 0
  await bench.run(10_000)
  t.ok(bench.polls >= 9, `${bench.polls} polls in 10 seconds`)
})

test('does not report an older state to current or new watchers', async t => {
  const { bench, seen } = await watchedBench(2)
  bench.values.set('a', { step: 1 })
  const late = await bench.watch('a')
  await bench.run(5_000)
  bench.values.set('a', { step: 3 })
  await bench.run(5_000)
  bench.values.set('a', { step: 2 })
  await bench.run(5_000)
  t.strictSame(seen, [2, 3])
  t.strictSame(late.seen, [2, 3])
})

test('reports a change between a read and the start of the watch', async t => {
  const bench = createBench()
  bench.values.set('a', { step: 1 })
  const first = await bench.poller.find('a')
  bench.values.set('a', { step: 2 })
  await bench.watch('a')
  const seen: number[] = []
  bench.poller.watch('a', ({ step }) => seen.push(step), first)
  t.strictSame(seen, [2], 'the newest known state')
  bench.values.set('a', { step: 3 })
  await bench.run(2_000)
  t.strictSame(seen, [2, 3])
})

test('continues polling after failures and while an id is not found', async t => {
  const { bench, seen } = await watchedBench()
  bench.onFind = () => {
    throw new Error('upstream failed')
  }
  await bench.run(5_000)
  t.match(bench.entries, [{ level: 'warn', message: 'value polling failed' }])
  bench.onFind = () => undefined
  bench.values.delete('a')
  await bench.run(5_000)
  bench.values.set('a', { step: 2 })
  await bench.run(5_000)
  t.strictSame(seen, [1, 2])
})

test('polls immediately after a notification, even during another poll', async t => {
  const bench = createBench()
  bench.values.set('a', { step: 1 })
  bench.values.set('b', { step: 1 })
  const a = await bench.watch('a')
  const b = await bench.watch('b')
  let respond = () => {}
  bench.onFind = () =>
    new Promise<void>(resolve => {
      respond = resolve
    })
  bench.poller.poll(['a', 'unknown'])
  // The state changes after the running poll has read the old one.
  bench.values.set('a', { step: 2, isFinal: true })
  bench.poller.poll(['a'])
  bench.onFind = () => undefined
  respond()
  await new Promise(resolve => setImmediate(resolve))
  t.strictSame(a.seen, [1, 2])
  bench.values.set('b', { step: 2 })
  bench.poller.poll()
  await new Promise(resolve => setImmediate(resolve))
  t.strictSame(b.seen, [1, 2])
})
