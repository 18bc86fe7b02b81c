import { EventStreamParser } from '../../packages/client/event-stream-parser.ts'
import fc from '../helpers/fast-check.ts'
import { test } from '../helpers/tap.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Returns what a parser emits for these chunks. */
function read(pieces: readonly Uint8Array[]) {
  const parser = new EventStreamParser()
  const events = pieces.flatMap(piece => parser.push(piece))
  const { lastEventId, retry } = parser
  return { events, lastEventId, retry }
}

const readText = (text: string) => read([bytesOf(text)])

const message = (data: string) => ({ type: 'message', data })

/** The HTML standard's examples, and edge cases of its grammar. */
const CASES: Record<
  string,
  [string, ReturnType<typeof message>[], { lastEventId?: string; retry?: number }?]
> = {
  'several lines of data': ['data: YHOO\ndata: +2\ndata: 10\n\n', [message('YHOO\n+2\n10')]],
  'a comment, an id, an empty id, a space': [
    ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
    [message('first event'), message('second event'), message(' third event')]
  ],
  'empty data': ['data\n\ndata\ndata\n\ndata:', [message(''), message('\n')]],
  'with and without a space': ['data:test\n\ndata: test\n\n', [message('test'), message('test')]],
  'line ends of all kinds': [
    'data: a\r\rdata: b\n\ndata: c\r\n\r\n',
    [message('a'), message('b'), message('c')]
  ],
  'a byte order mark at the beginning only': ['\ufeffdata: a\n\n\ufeffdata: b\n\n', [message('a')]],
  'an event without data is none': ['event: state\nid: 7\n\n', [], { lastEventId: '7' }],
  'the type holds for one event': [
    'event: state\ndata: a\n\ndata: b\n\n',
    [{ type: 'state', data: 'a' }, message('b')]
  ],
  'what is not ended is dropped': ['data: a\n\ndata: b\n', [message('a')]],
  'the id of an event that is not ended does not count': [
    'id: 1\ndata: a\n\nid: 2\n',
    [message('a')],
    { lastEventId: '1' }
  ],
  'an id with NUL is ignored': ['id: 1\nid: a\0b\ndata: a\n\n', [message('a')], { lastEventId: '1' }],
  'the id stays': ['id: 1\ndata: a\n\ndata: b\n\n', [message('a'), message('b')], { lastEventId: '1' }],
  'retry in digits only': ['retry: 3000\nretry: 1e3\nretry: -1\nretry:\n\n', [], { retry: 3000 }],
  'unknown fields and names in other letters': ['Data: a\ndatax: b\nfoo\n\n', []],
  'a colon in the value': ['data: {"a":1}\n\n', [message('{"a":1}')]]
}

for (const [name, [text, events, { lastEventId = '', retry } = {}]] of Object.entries(CASES)) {
  test(`parses a stream of events: ${name}`, async t => {
    t.same(readText(text), { events, lastEventId, retry })
  })
}

test('parses events that are split anywhere, even within a character', async t => {
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

test('rejects an endless line before it fills the memory', async t => {
  const parser = new EventStreamParser()
  const piece = bytesOf('data: '.repeat(20_000))
  t.throws(() => {
    for (let count = 0; count < 1000; count += 1) parser.push(piece)
  }, RangeError)
})
