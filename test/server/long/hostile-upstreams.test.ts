import type { ServerResponse } from 'node:http'
import { createComplianceService } from '../../../services/providers/compliance.ts'
import { stretchTimers } from '../../helpers/clock.ts'
import { serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'

const ADDRESS = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const RIGHT = JSON.stringify([{ address: ADDRESS, risk_score: 'low' }])

/** @param elsewhere another server's URL */
type Answer = (response: ServerResponse, elsewhere: string) => unknown

const sends =
  (body: string, headers: Record<string, string> = {}, status = 200): Answer =>
  response =>
    response.writeHead(status, headers).end(body)

/** Writes a chunk repeatedly until the connection closes. */
const repeats =
  (piece: string, pauseMs: number): Answer =>
  response => {
    const timer = setInterval(() => response.writableNeedDrain || response.write(piece), pauseMs)
    response.on('close', () => clearInterval(timer))
  }

const arrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const withField = (field: string) => RIGHT.replace('{', `{${field},`)
const polluting = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'

/** What an upstream does, and how the call ends: with the right result or an error. */
const KINDS: [kind: string, end: 'right' | 'UPSTREAM_ERROR' | 'UPSTREAM_TIMEOUT', answer: Answer][] = [
  ['stalls after its headers', 'UPSTREAM_TIMEOUT', response => response.flushHeaders()],
  ['trickles its body', 'UPSTREAM_TIMEOUT', repeats(' ', 50)],
  ['sends an endless body', 'UPSTREAM_ERROR', repeats(' '.repeat(65_536), 1)],
  ['sends JSON as an image', 'right', sends(RIGHT, { 'content-type': 'image/png' })],
  ['sends truncated JSON', 'UPSTREAM_ERROR', sends(RIGHT.slice(0, RIGHT.length / 2))],
  ['sends 100,000 nested arrays', 'UPSTREAM_ERROR', sends(arrays(100_000))],
  ['hides 10,000 nested arrays in a field', 'UPSTREAM_ERROR', sends(withField(`"note":${arrays(10_000)}`))],
  ['sends prototype property names', 'right', sends(withField(polluting))],
  [
    'redirects to another server, keeping the body',
    'UPSTREAM_ERROR',
    (response, elsewhere) => response.writeHead(307, { location: elsewhere }).end()
  ],
  ['sends status 204', 'UPSTREAM_ERROR', sends('', {}, 204)]
]

// All upstream calls use the same HTTP client, so a test of the compliance provider covers every upstream.
test('a hostile upstream causes a documented error, and the next call succeeds', async t => {
  const internal = await serve(t, (_request, response) => response.end())
  const before = process.memoryUsage().rss

  /** Calls a hostile upstream. @returns a function that repairs the upstream and calls it again */
  async function meet([kind, expected, hostile]: (typeof KINDS)[number]): Promise<() => Promise<void>> {
    let answer = hostile
    const { url } = await serve(t, (_request, response) => void answer(response, internal.url))
    const { check, close } = createComplianceService({ url })
    t.teardown(close)
    const call = async () => JSON.stringify(await check([ADDRESS]))
    const end = await call().then(
      () => 'right',
      error => error.code ?? error
    )
    t.equal(end, expected, `an upstream that ${kind}`)
    return async () => {
      answer = sends(RIGHT)
      await t.resolves(call(), `an upstream that ${kind}: the next call`)
    }
  }

  const isLate = ([, end]: (typeof KINDS)[number]) => end === 'UPSTREAM_TIMEOUT'
  const works: (() => Promise<void>)[] = []
  // Real timeouts apply only to the upstreams that cause a timeout. They run in parallel, after all others.
  const restoreTimers = stretchTimers(t)
  for (const each of KINDS.filter(each => !isLate(each))) works.push(await meet(each))
  restoreTimers()
  works.push(...(await Promise.all(KINDS.filter(isLate).map(meet))))
  stretchTimers(t)
  for (const nextCall of works) await nextCall()

  const grownMiB = (process.memoryUsage().rss - before) / 1024 / 1024
  t.ok(grownMiB < 400, `memory grew by ${Math.round(grownMiB)} MiB`)
  t.same(internal.seen, [], 'no redirect is followed')
  t.equal(Reflect.get({}, 'polluted'), undefined)
})
