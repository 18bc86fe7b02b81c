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

const readText = (text: string) => read([bytesOf(text)])

const message = (data: string) => ({ type: 'message', data })

/** What the service and proxies between it and the client may send. */
const CASES: Record<
  string,
  [string, ReturnType<typeof message>[], { lastEventId?: string; retry?: number }?]
> = {
  'a comment, an id, an empty id and a leading space': [
    ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
    [message('first event'), message('second event'), message(' third event')]
  ],
  'a byte order mark and all kinds of line endings': [
    '\ufeffdata: a\r\rdata: b\n\ndata: c\r\n\r\n',
    [message('a'), message('b'), message('c')]
  ],
  'the type applies to a single event': [
    'event: state\ndata: a\n\ndata: b\n\n',
    [{ type: 'state', data: 'a' }, message('b')]
  ],
  'an incomplete event is dropped': ['data: a\n\ndata: b\n', [message('a')]],
  'the id of an incomplete event is ignored': [
    'id: 1\ndata: a\n\nid: 2\n',
    [message('a')],
    { lastEventId: '1' }
  ],
  'an id applies to later events too': [
    'id: 1\ndata: a\n\ndata: b\n\n',
    [message('a'), message('b')],
    { lastEventId: '1' }
  ],
  'an id must not contain NUL': ['id: 1\nid: 2\0\ndata: a\n\n', [message('a')], { lastEventId: '1' }],
  'retry must consist of digits': ['retry: 3000\nretry: 1e3\nretry: -1\nretry:\n\n', [], { retry: 3000 }]
}

for (const [name, [text, events, { lastEventId = '', retry } = {}]] of Object.entries(CASES)) {
  test(`parses an event stream: ${name}`, async t => {
    t.same(readText(text), { events, lastEventId, retry })
  })
}

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
