import Fastify from 'fastify'
import { loggerOptions } from '../../config/logging.ts'
import { build } from '../helpers/app.ts'
import { t as root, test } from '../helpers/tap.ts'
import { cardBody, submit, swapBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

/** Logs an entry as the server does. @returns its line */
function lineOf(entry: object, text?: string): string {
  const lines: string[] = []
  const { log } = Fastify({
    logger: loggerOptions({ LOG_LEVEL: 'info' }, { write: line => lines.push(line) })
  })
  log.info(entry, text)
  return lines.join('')
}
const entryOf = (entry: object, text?: string) => JSON.parse(lineOf(entry, text))

test('logs errors with causes and codes, but without the properties that libraries add', async t => {
  const cause = Object.assign(new TypeError('socket closed'), { code: 'ECONNRESET', codespace: 'sdk' })
  const err = Object.assign(new Error('no answer', { cause }), { request: { body: 'sealed letter' } })
  const line = lineOf({ err }, 'upstream failed')
  const logged = { type: 'TypeError', code: 'ECONNRESET', codespace: 'sdk' }
  const shown = { type: 'Error', message: 'no answer', stack: /logging\.test\.ts/, cause: logged }
  t.match(JSON.parse(line), { msg: 'upstream failed', err: shown })
  t.notMatch(line, /sealed letter/)
  const itself = new Error('its own cause')
  itself.cause = itself
  t.equal(JSON.stringify(entryOf({ err: itself }).err).match(/"message":/g)?.length, 6, 'five causes')
  const long = lineOf({ err: new Error('h'.repeat(5e6)) }, 'logged')
  t.match(JSON.parse(long), { err: { message: /^h{8192}…$/ } })
  t.ok(long.length < 100_000)
})

test('logs only listed fields, and escapes terminal control characters', async t => {
  const url = { method: 'GET', originalUrl: '/submit?seed=1\n2' }
  const sent = { ...url, id: 1, ip: '\u009b2J', headers: {}, body: 'x' }
  const { req, res } = entryOf({ req: sent, res: { statusCode: 200, body: 'x' } })
  t.strictSame({ req, res }, { req: { method: 'GET', path: '/submit', ip: '?2J' }, res: { statusCode: 200 } })
  const line = lineOf({ reason: 'a\u202eb\u001b[2J\u009bc\n"\\u' }, 'not\u2066 \u007fshown')
  t.match(line, /^[ -~]*\n$/)
  t.match(JSON.parse(line), { reason: 'a\\u202eb\\u001b[2J\\u009bc\n"\\u', msg: 'not\\u2066 \\u007fshown' })
})

test('redacts secrets that are logged by mistake', async t => {
  const secrets = { mnemonic: 'sealed letter' }
  for (const entry of [
    { options: [{ ...secrets, password: 'sealed letter' }] },
    { options: { kycApiKey: 'sealed letter', privateKey: 'sealed letter' } },
    { receivers: [{ secrets: ['sealed letter'] }], query: Object.assign(Object.create(null), secrets) },
    { sent: { headers: { authorization: 'sealed letter', cookie: 'sealed letter' } } }
  ])
    t.notMatch(lineOf(entry), /sealed letter/)
})

const lines: string[] = []
const removed = { SERVICE_AUDIT_FILE: 'audit.log', SERVICE_GAS_MULTIPLIER: '2' }
const server = await build(root, { LOG_LEVEL: 'info', ...removed }, { logTo: text => lines.push(text) })
const logged = () => lines.map(text => JSON.parse(text))

test('one warning at the start lists unknown settings', async t => {
  const warnings = logged().filter(({ variables }) => variables)
  t.match(warnings, [{ level: 40, msg: 'unknown variables are ignored', variables: Object.keys(removed) }])
})

test('logs why a submission is rejected, but not its signature', async t => {
  const signature = `0x${'5e'.repeat(65)}`
  const lastRefusal = () => logged().findLast(({ msg }) => msg === 'request refused')
  const swap = (change: object, options: object) =>
    submit(server, swapBody(change, { signature, ...options }), { path: '/submit/swap' })
  t.equal((await swap({ amountIn: '0' }, { feeId: 'quote-1' })).statusCode, 400)
  const reason = { code: 'VALIDATION', field: '/amountIn', reason: /^amountIn / }
  t.match(lastRefusal(), { ...reason, feeId: 'quote-1', reqId: String })
  t.equal((await submit(server, cardBody({ options: '{}' }))).statusCode, 400)
  t.match(lastRefusal(), { code: 'OPTIONS_INVALID' })

  const refused = { targetAddress: `0x${'f7'.padStart(40, '0')}`, feeId: 'quote-2' }
  const { message, code } = (await swap(refused, { feeId: undefined })).json()
  const { submissionId } = logged().find(({ msg }) => msg === 'submission accepted')
  t.match(submissionId, /^[0-9a-f-]{36}$/)
  t.match({ code }, { code: 'CHAIN_REJECTED' })
  t.match(lastRefusal(), { code, reason: message, feeId: 'quote-2', submissionId })
  t.notMatch(lines.join(''), signature)
})

test('logs each request, but health checks and blocked origins once a minute', async t => {
  lines.length = 0
  const completed = () => logged().filter(({ responseTime }) => responseTime !== undefined)
  const origin = `https://evil.example\u009b${'x'.repeat(2000)}`
  const rejected = { url: '/chains/env', headers: { origin } }
  for (let sent = 0; sent < 30; sent += 1) {
    t.equal((await server.inject('/health')).statusCode, 200)
    t.equal((await server.inject(rejected)).statusCode, 403)
    await server.inject('/nowhere')
  }
  const counted = await until(() => {
    const found = completed().filter(({ req }) => req.path === '/nowhere')
    return found.length === 30 && found
  }, 'every request with a rate limit has a line')
  t.notOk(counted.some(({ requests }) => requests))
  const shown = { code: 'ORIGIN_BLOCKED', origin: /^https:\/\/evil\.example x{279}…$/ }
  const others = completed().filter(({ req }) => req.path !== '/nowhere')
  const health = { requests: 1, req: { path: '/health' } }
  t.match(others, [health, { requests: 1, req: { path: '/chains/env' }, ...shown }])
})
