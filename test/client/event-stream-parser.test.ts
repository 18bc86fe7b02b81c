import { EventStreamParser } from '../../packages/client/event-stream-parser.ts'
import fc from '../helpers/fast-check.ts'
import { test } from '../helpers/tap.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Returns the events that a parser emits for the chunks. */
function read(pieces: readonly Uint8Array[]) {
  const parser = new EventStreamParser()
  const events = pieces.flatMap(piece => parser.push(piece))
  const { lastEventId, retry } = parser
  return { events, lastEventId, retry }
}

/** What the service and proxies between it and the client may send, the events in it, and the last id or the pause. */
type Rest = { lastEventId?: string; retry?: number }
const CASES: [name: string, text: string, events: string[], rest?: Rest][] = [
  ['a comment and leading spaces', ': test\n\ndata: a\n\ndata:b\n\ndata:  c\n\n', ['a', 'b', ' c']],
  ['a byte order mark and all line endings', '\ufeffdata: a\r\rdata: b\n\ndata: c\r\n\r\n', ['a', 'b', 'c']],
  ['a type of a single event', 'event: state\ndata: a\n\ndata: b\n\n', ['state a', 'b']],
  ['an incomplete event', 'id: 1\ndata: a\n\nid: 2\ndata: b\n', ['a'], { lastEventId: '1' }],
  ['an id for later events too', 'id: 1\ndata: a\n\ndata: b\n\n', ['a', 'b'], { lastEventId: '1' }],
  ['an empty id', 'id: 1\ndata: a\n\nid\ndata: b\n\n', ['a', 'b']],
  ['an id with NUL', 'id: 1\nid: 2\0\ndata: a\n\n', ['a'], { lastEventId: '1' }],
  ['a retry of digits', 'retry: 3000\nretry: 1e3\nretry: -1\nretry:\n\n', [], { retry: 3000 }]
]

test('parses an event stream as browsers do', async t => {
  for (const [name, text, events, { lastEventId = '', retry } = {}] of CASES) {
    const { events: found, ...rest } = read([bytesOf(text)])
    const told = found.map(({ type, data }) => (type === 'message' ? data : `${type} ${data}`))
    t.same(told, events, name)
    t.same(rest, { lastEventId, retry }, name)
  }
})

test('parses events split at any byte, even inside a character', async t => {
  const line = fc.oneof(
    fc.constantFrom('data', 'data:', 'event: state', 'id: 1', 'id: ä', 'retry: 5', ': note', '', '\ufeff'),
    fc.string({ unit: 'grapheme', maxLength: 8 }).map(text => `data: ${text}`)
  )
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 30 })
    .map(lines => bytesOf(lines.flat().join('')))
  const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 40 })
  fc.assert(
    fc.property(stream, cuts, (bytes, cuts) => {
      const places = [0, ...cuts.filter(cut => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const pieces = places.slice(1).map((end, index) => bytes.slice(places[index], end))
      t.strictSame(read(pieces), read([bytes]))
      t.strictSame(read(Array.from(bytes, byte => Uint8Array.of(byte))), read([bytes]))
    })
  )
})
