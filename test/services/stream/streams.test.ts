import type { Readable } from 'node:stream'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createStreams, type State, stateOf } from '../../../services/stream/streams.ts'
import { type Test, test } from '../../helpers/tap.ts'

const MOST = 4
const MOST_OF_ONE = 2
const state = (step: number, isFinal = false) => stateOf(JSON.stringify({ step }), isFinal)

function createBench(t: Test) {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(async () => {
    streams.endAll()
    // Let the streams clear their mocked timers before the mock is reset.
    await turn()
    mock.timers.reset()
  })
  const listeners = new Set<(state: State) => void>()
  let open = 0
  const streams = createStreams({
    most: MOST,
    mostOfOneClient: MOST_OF_ONE,
    observe: count => {
      open = count
    }
  })
  function watch(listener: (state: State) => void) {
    listeners.add(listener)
    listener(state(1))
    return () => void listeners.delete(listener)
  }
  return {
    streams,
    open: () => open,
    listeners,
    report: (next: State) => {
      for (const listener of listeners) listener(next)
    },
    openFor: (client: string, lastEventId?: string) => streams.open({ client, lastEventId, watch })
  }
}

function reader(stream: Readable): { text: string } {
  const read = { text: '' }
  stream.setEncoding('utf8').on('data', (text: string) => {
    read.text += text
  })
  return read
}

test('a stream sends a heartbeat every 15 seconds and ends within an hour', async t => {
  const bench = createBench(t)
  const stream = bench.openFor('a')
  const read = reader(stream)
  await turn()
  const { length } = read.text
  mock.timers.tick(15_000)
  await turn()
  t.equal(read.text.slice(length), ':\n\n')
  mock.timers.tick(15_000)
  await turn()
  t.equal(read.text.slice(length), ':\n\n:\n\n')
  mock.timers.tick(48 * 60_000)
  await turn()
  t.notOk(stream.readableEnded)
  mock.timers.tick(12 * 60_000)
  await turn()
  t.ok(stream.readableEnded)
  t.equal(bench.listeners.size, 0)
})

test('drops a client that stops reading before 80 kB are buffered', async t => {
  const bench = createBench(t)
  const stream = bench.openFor('a')
  let most = 0
  for (let step = 2; !stream.destroyed; step += 1) {
    bench.report(stateOf(JSON.stringify({ step, text: 'x'.repeat(1000) }), false))
    most = Math.max(most, stream.readableLength)
  }
  await turn()
  t.ok(most < 80_000, `${most} bytes`)
  t.equal(bench.listeners.size, 0)
  t.equal(bench.open(), 0)
})
