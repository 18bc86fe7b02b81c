import { connect } from 'node:net'
import { build } from '../helpers/app.ts'
import fc, { seed } from '../helpers/fast-check.ts'
import { test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer-flow.ts'
import { documentOf } from '../openapi/document.ts'
import { faultOf } from './fuzz.ts'
import { hostileRequests } from './hostile-requests.ts'
import { bytesOf, type RawRequest, readAnswer } from './raw-client.ts'

/** After so many milliseconds without an answer, the client says that it has sent everything. */
const MOST_WAIT = 100

interface Edit {
  at: number
  dropped: number
  bytes: string
}

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    at: fc.nat(400),
    dropped: fc.nat(6),
    bytes: fc.constantFrom(
      ...['\r', '\n', '\r\n', '\r\n\r\n', '\0', '\x7f', '\xff', ' ', ':', ',', '%', '?', '#', '0\r\n\r\n'],
      ...[
        '\r\nHost: b',
        '\r\nContent-Length: 5',
        '\r\nTransfer-Encoding: chunked',
        '\r\nTransfer-Encoding: x'
      ],
      ...['\r\nExpect: 100-continue', '\r\nConnection: upgrade', '\r\nUpgrade: h2c', '\r\nOrigin: null'],
      ...['GET /health HTTP/1.1\r\nHost: a\r\n\r\n', 'HTTP/1.0', 'HTTP/2.0', 'a'.repeat(20_000)]
    )
  }),
  { minLength: 1, maxLength: 3 }
)

const broken = (request: RawRequest, changes: Edit[]) =>
  changes.reduce((bytes, { at, dropped, bytes: more }) => {
    const start = at % bytes.length
    return Buffer.concat([
      bytes.subarray(0, start),
      Buffer.from(more, 'latin1'),
      bytes.subarray(start + dropped)
    ])
  }, bytesOf(request))

/** All that the server answers, until it closes the connection. */
async function exchange(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  const timer = setTimeout(() => socket.end(), MOST_WAIT)
  let answer = ''
  socket.on('data', text => {
    answer += text
  })
  socket.on('error', () => {})
  socket.write(bytes)
  await new Promise(resolve => socket.once('close', resolve))
  clearTimeout(timer)
  return answer
}

/** What is wrong with the answers to broken bytes, of which there may be none or several. */
function faultOfAnswers(answers: string): string | undefined {
  const text = answers.replace(/^(HTTP\/1\.1 100 Continue\r\n\r\n)+/, '')
  if (text === '') return undefined
  const { status, headers, body } = readAnswer(text)
  // The answer to a HEAD has no body. What follows it then is the answer to the bytes behind the request.
  if (body === '' || body.startsWith('HTTP/1.1 ')) return faultOf({ status, headers, body: '' }, 'HEAD')
  const content = body.slice(0, Number(headers.get('content-length') ?? 0))
  return faultOf({ status, headers, body: content }, 'GET')
}

/** Each run sends ten requests at once, with bytes replaced at any place. */
export function testBrokenBytes(runs: number): void {
  test(`broken bytes, seed ${seed}`, async t => {
    const server = await build(t)
    const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
    const statuses = new Set<string>()
    const batches = fc.array(fc.tuple(hostileRequests(documentOf(server)), edits), {
      minLength: 10,
      maxLength: 10
    })

    const answersWell = fc.asyncProperty(batches, async batch => {
      const sent = batch.map(([request, changes]) => broken(request, changes))
      const answers = await Promise.all(sent.map(bytes => exchange(port, bytes)))
      for (const [index, answer] of answers.entries()) {
        statuses.add(answer.slice(9, 12))
        const fault = faultOfAnswers(answer)
        if (fault !== undefined) throw new Error(`${fault}: ${JSON.stringify([answer, String(sent[index])])}`)
      }
    })
    await fc.assert(answersWell, { numRuns: runs })

    // A reset may overtake a 431.
    for (const status of ['200', '400', '404']) t.ok(statuses.has(status), status)
    t.equal((await server.inject('/health')).body, 'ok')
    t.equal(
      (await submit(server, await transferBody(server))).statusCode,
      200,
      'transfers are still accepted'
    )
  })
}
