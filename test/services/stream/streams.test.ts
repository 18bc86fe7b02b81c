import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createStreams, type State, stateOf } from '../../../services/stream/streams.ts'
import { type Test, test } from '../../helpers/tap.ts'

function createBench(t: Test) {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(async () => {
    streams.endAll()
    // Let the streams clear their mocked timers before the mock is reset.
    await turn()
    mock.timers.reset()
  })
  const listeners = new Set<(state: State) => void>()
  const bench = { open: 0, listeners }
  const observe = (count: number) => {
    bench.open = count
  }
  const streams = createStreams({ most: 4, mostOfOneClient: 2, observe })
  const stream = streams.open({
    client: 'a',
    lastEventId: undefined,
    watch(listener) {
      listeners.add(listener)
      listener(stateOf('{"step":1}', false))
      return () => void listeners.delete(listener)
    }
  })
  return Object.assign(bench, { stream })
}

test('a stream sends a heartbeat every 15 seconds and ends within an hour', async t => {
  const { stream, listeners } = createBench(t)
  const sent: string[] = []
  stream.setEncoding('utf8').on('data', (text: string) => sent.push(text))
  await turn()
  for (const beats of [1, 2]) {
    mock.timers.tick(15_000)
    await turn()
    t.match(sent.join(''), new RegExp(`"step":1}\n\n(:\n\n){${beats}}$`))
  }
  mock.timers.tick(48 * 60_000)
  await turn()
  t.notOk(stream.readableEnded)
  mock.timers.tick(12 * 60_000)
  await turn()
  t.ok(stream.readableEnded)
  t.equal(listeners.size, 0)
})

test('drops a client that stops reading before 80 kB are buffered', async t => {
  const bench = createBench(t)
  const { stream, listeners } = bench
  let most = 0
  for (let step = 2; !stream.destroyed; step += 1) {
    const next = stateOf(JSON.stringify({ step, text: 'x'.repeat(1000) }), false)
    for (const listener of listeners) listener(next)
    most = Math.max(most, stream.readableLength)
  }
  await turn()
  t.ok(most < 80_000, `${most} bytes`)
  t.equal(listeners.size, 0)
  t.equal(bench.open, 0)
})
