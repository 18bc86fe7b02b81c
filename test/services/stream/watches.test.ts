import { createPollLimiter } from '../../../services/stream/poll-limiter.ts'
import type { Source } from '../../../services/stream/sources.ts'
import { createWatches, type Reading } from '../../../services/stream/watches.ts'
import { test } from '../../helpers/tap.ts'
import { createVirtualClock } from '../../simulation/time/virtual-clock.ts'

interface Value {
  step: number
  isFinal?: boolean
}

const MOST_POLLS = 32

/**
 * Watches values that the test sets, on a clock that the test advances.
 * @param isLimited true to limit the rate of polls; false for submissions, whose polls are not limited
 */
function createBench({ isLimited = true } = {}) {
  const clock = createVirtualClock()
  const values = new Map<string, Value>()
  const failures: unknown[] = []
  const bench = {
    values,
    failures,
    polls: 0,
    begun: [] as { id: string; at: number }[],
    onFind: (_id: string): unknown => undefined,
    run: (ms: number) => {
      let over = false
      clock.after(ms, () => {
        over = true
      })
      return clock.run(() => over)
    },
    async reading(id: string): Promise<Reading> {
      const reading = await watches.read(id)
      if (reading === undefined) throw new Error(`no ${id}`)
      return reading
    },
    async watch(id: string, client = '192.0.2.1') {
      const seen: number[] = []
      const stepOf = (message: string) => Number(/"step":(\d+)/.exec(message)?.[1])
      const { state, leave } = (await bench.reading(id)).join(
        ({ message }) => seen.push(stepOf(message)),
        client
      )
      seen.push(stepOf(state.message))
      return { seen, leave }
    }
  }
  const source: Source<Value> = {
    async find(id) {
      bench.polls += 1
      bench.begun.push({ id, at: clock.elapsed() })
      const value = values.get(id)
      await bench.onFind(id)
      return value && { ...value }
    },
    bodyOf: value => JSON.stringify(value),
    isFinal: ({ isFinal }) => isFinal === true,
    isOlder: (next, last) => next.step < last.step
  }
  const watches = createWatches(source, {
    onFailure: err => failures.push(err),
    clock,
    ...(isLimited && { limit: createPollLimiter(MOST_POLLS, clock) })
  })
  return Object.assign(bench, { watches, clock })
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

/** Returns the highest number of polls that began within a second. */
function mostInASecond(begun: readonly { at: number }[]): number {
  let first = 0
  let most = 0
  for (const [index, { at }] of begun.entries()) {
    while (Math.round(at - (begun[first]?.at ?? at)) >= 1_000) first += 1
    most = Math.max(most, index - first + 1)
  }
  return most
}

test('limits polls per second to 20 per client and 200 in total, even after a stall', async t => {
  for (const [ids, clients] of [
    [200, 1],
    [480, 12]
  ] as const) {
    await t.test(`${ids} ids watched by ${clients} clients`, async t => {
      const bench = createBench()
      const names = Array.from({ length: ids }, (_, index) => `id-${index}`)
      const clientOf = (id: string) => Number(id.slice(3)) % clients
      const set = (step: number, isFinal = false) => {
        for (const id of names) bench.values.set(id, { step, isFinal })
      }
      set(1)
      const watching = []
      for (const id of names) watching.push(await bench.watch(id, `c${clientOf(id)}`))
      bench.begun.length = 0
      await bench.run(20_000)
      let resume = () => {}
      const stalled = new Promise<void>(resolve => {
        resume = resolve
      })
      bench.onFind = () => stalled
      const before = bench.polls
      await bench.run(12_000)
      t.equal(bench.polls - before, MOST_POLLS, 'the maximum number of polls wait for a response')
      bench.onFind = () => undefined
      resume()
      set(2)
      await bench.run(16_000)
      set(3, true)
      await bench.run(16_000)
      for (const { seen } of watching) t.strictSame(seen, [1, 2, 3])
      const allowed = Math.min(200, 20 * clients)
      const most = mostInASecond(bench.begun)
      t.ok(most <= allowed && most > 0.9 * allowed, `${most} polls in total`)
      for (let client = 0; client < clients; client += 1) {
        const most = mostInASecond(bench.begun.filter(({ id }) => clientOf(id) === client))
        if (most > 20) t.fail(`${most} polls for client ${client}`)
      }
    })
  }
})

test('a client with many ids does not slow down other clients', async t => {
  const bench = createBench()
  for (let index = 0; index < 200; index += 1) {
    bench.values.set(`id-${index}`, { step: 1 })
    await bench.watch(`id-${index}`, 'crowd')
  }
  const user = await bench.watch('id-7', 'user')
  bench.values.set('id-7', { step: 2 })
  await bench.run(12_000)
  t.strictSame(user.seen, [1, 2])
  user.seen.length = 0
  bench.values.set('id-7', { step: 3 })
  await bench.run(5_000)
  t.strictSame(user.seen, [3])
  user.leave()
  bench.begun.length = 0
  await bench.run(20_000)
  const { length } = bench.begun.filter(({ id }) => id === 'id-7')
  t.ok(length <= 4, `${length} polls after the user has left`)
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

test('new watchers change nothing about the polls of an id', async t => {
  const { bench } = await watchedBench()
  for (let watcher = 0; watcher < 10; watcher += 1) {
    await bench.watch('a')
    await bench.run(500)
  }
  t.equal(bench.polls - 11, 4, 'a poll per second, in addition to the eleven reads')
})

test('stops polling and reporting after a final state', async t => {
  const { bench, seen, leave } = await watchedBench()
  bench.values.set('a', { step: 2, isFinal: true })
  await bench.run(2_000)
  t.strictSame(seen, [1, 2])
  const { polls } = bench
  bench.values.set('a', { step: 3 })
  await bench.run(60_000)
  leave()
  t.strictSame(seen, [1, 2])
  t.equal(bench.polls, polls)
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
  const first = await bench.reading('a')
  const second = await bench.reading('a')
  bench.values.set('a', { step: 2 })
  await bench.watch('a')
  const seen: string[] = []
  const { state } = first.join(({ message }) => seen.push(message), 'a')
  t.match(state.message, '"step":2', 'the newest known state')
  const late = second.join(() => {}, 'b')
  t.match(late.state.message, '"step":2')
  bench.values.set('a', { step: 3 })
  await bench.run(2_000)
  t.match(seen, [/"step":3/])
})

test('continues polling after failures and while an id is not found', async t => {
  const { bench, seen } = await watchedBench()
  bench.onFind = () => {
    throw new Error('upstream failed')
  }
  await bench.run(5_000)
  t.ok(bench.failures.length > 1)
  bench.onFind = () => undefined
  bench.values.delete('a')
  await bench.run(5_000)
  bench.values.set('a', { step: 2 })
  await bench.run(5_000)
  t.strictSame(seen, [1, 2])
})

test('polls immediately after a notification, even during another poll', async t => {
  const bench = createBench({ isLimited: false })
  bench.values.set('a', { step: 1 })
  bench.values.set('b', { step: 1 })
  const a = await bench.watch('a')
  const b = await bench.watch('b')
  let respond = () => {}
  bench.onFind = () =>
    new Promise<void>(resolve => {
      respond = resolve
    })
  bench.watches.poll(['a', 'unknown'])
  // The state changes after the running poll has read the old one.
  bench.values.set('a', { step: 2, isFinal: true })
  bench.watches.poll(['a'])
  bench.onFind = () => undefined
  respond()
  await new Promise(resolve => setImmediate(resolve))
  t.strictSame(a.seen, [1, 2])
  bench.values.set('b', { step: 2 })
  bench.watches.poll()
  await new Promise(resolve => setImmediate(resolve))
  t.strictSame(b.seen, [1, 2])
})

test('a client that closes one of its two streams still gets states in the other', async t => {
  const { bench, leave } = await watchedBench()
  const { seen } = await bench.watch('a')
  leave()
  bench.values.set('a', { step: 2 })
  await bench.run(6_000)
  t.strictSame(seen, [1, 2])
})

test('a late leave() does not end a watch that another client started in the meantime', async t => {
  const { bench, leave } = await watchedBench()
  bench.values.set('a', { step: 2, isFinal: true })
  await bench.run(2_000)
  bench.values.set('a', { step: 1 })
  const late = await bench.watch('a')
  leave()
  bench.watches.poll(['a'])
  bench.values.set('a', { step: 2, isFinal: true })
  await bench.run(2_000)
  t.strictSame(late.seen, [1, 2])
})
