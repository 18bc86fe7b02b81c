import Fastify from 'fastify'
import { loggerOptions } from '../../config/logging.ts'
import { test } from '../helpers/tap.ts'

test('log entries', async t => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const { log } = Fastify({ logger: loggerOptions({ LOG_LEVEL: 'info' }, stream) })

  t.test('logs errors with their causes and codes, but not the fields that libraries attach', async t => {
    const cause = Object.assign(new TypeError('socket closed'), {
      code: 'ECONNRESET',
      codespace: 'sdk'
    })
    const err = Object.assign(new Error('no answer', { cause }), { request: { body: 'sealed letter' } })
    log.error({ err }, 'upstream failed')
    const line = lines.pop() ?? ''
    t.match(JSON.parse(line), {
      msg: 'upstream failed',
      err: {
        type: 'Error',
        message: 'no answer',
        stack: /logging\.test\.ts/,
        cause: { type: 'TypeError', code: 'ECONNRESET', codespace: 'sdk' }
      }
    })
    t.notMatch(line, /sealed letter/)
    log.error({ err: 'only a text' })
    t.match(JSON.parse(lines.pop() ?? ''), { err: { type: 'string' } })
  })

  t.test('truncates errors that are long, and those that are their own cause', async t => {
    const itself = new Error('its own cause')
    itself.cause = itself
    for (const [err, message] of [
      [itself, 'its own cause'],
      [new Error('h'.repeat(5e6)), /^h{8192}…$/]
    ]) {
      log.error({ err }, 'logged')
      const line = lines.pop() ?? ''
      t.match(JSON.parse(line), { msg: 'logged', err: { message } })
      t.ok(line.length < 100_000)
    }
  })

  t.test('logs only listed fields of requests and replies, without control characters', async t => {
    const sent = {
      id: 1,
      originalUrl: '/submit?seed=1\n2',
      method: 'GET',
      ip: '\u009b2J',
      headers: {},
      body: 'x'
    }
    log.info({ req: sent, res: { statusCode: 200, body: 'x' } })
    const { req, res } = JSON.parse(lines.pop() ?? '')
    const logged = { req: { method: 'GET', path: '/submit', ip: '?2J' }, res: { statusCode: 200 } }
    t.strictSame({ req, res }, logged)
  })

  t.test(
    'logs what terminals interpret as escapes in the strings, which viewers print as they are',
    async t => {
      log.warn({ reason: 'a\u202eb\u001b[2J\u009bc\n"\\u' }, 'not\u2066 \u007fshown')
      const line = lines.pop() ?? ''
      t.match(line, /^[ -~]*\n$/)
      const { reason, msg } = JSON.parse(line)
      const shown = ['a\\u202eb\\u001b[2J\\u009bc\n"\\u', 'not\\u2066 \\u007fshown']
      t.strictSame([reason, msg], shown)
    }
  )

  t.test('logs entries with missing fields', async t => {
    log.info({ attempt: 1, hash: undefined, block: null }, 'logged')
    const { attempt, block, msg } = JSON.parse(lines.pop() ?? '')
    t.strictSame({ attempt, block, msg }, { attempt: 1, block: null, msg: 'logged' })
  })

  t.test('redacts secrets that are logged by mistake', async t => {
    const secrets = { mnemonic: 'sealed letter' }
    log.info({ secrets })
    log.info({ options: [{ ...secrets, password: 'sealed letter' }] })
    log.info({ options: { kycApiKey: 'sealed letter', privateKey: 'sealed letter' } })
    log.info({
      receivers: [{ secrets: ['sealed letter'] }],
      query: Object.assign(Object.create(null), secrets)
    })
    log.info({ sent: { headers: { authorization: 'sealed letter', cookie: 'sealed letter' } } })
    t.equal(lines.length, 5)
    t.notMatch(lines.join(), /sealed letter/)
  })
})
