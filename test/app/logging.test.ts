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

  t.test('logs malformed errors from an integrator’s code', async t => {
    const itself = new Error('its own cause')
    itself.cause = itself
    let deep = new Error('deep')
    for (let causes = 0; causes < 20_000; causes++) deep = new Error('deep', { cause: deep })
    const fail = () => {
      throw new Error('read')
    }
    const long = new Error('h'.repeat(5e6))
    const throwing = Object.defineProperty(new Error('x'), 'message', { get: fail })
    const proxy = new Proxy(new Error('x'), { getPrototypeOf: fail })
    for (const [err, message] of [
      [itself, 'its own cause'],
      [deep, 'deep'],
      [long, /^h{8192}…$/],
      [throwing, 'an error whose properties throw when accessed'],
      [proxy, 'an error whose properties throw when accessed']
    ]) {
      log.error({ err }, 'logged')
      const line = lines.pop() ?? ''
      t.match(JSON.parse(line), { msg: 'logged', err: { message } })
      t.ok(line.length < 100_000)
    }
  })

  t.test('logs only allow-listed fields of requests and replies', async t => {
    const sent = { id: 1, url: '/submit?seed=1\n2', method: 'GET', ip: '\u009b2J' }
    log.info({ req: sent, res: { statusCode: 200, body: 'x' } })
    const { req, res } = JSON.parse(lines.pop() ?? '')
    const logged = { req: { method: 'GET', path: '/submit', ip: '?2J' }, res: { statusCode: 200 } }
    t.strictSame({ req, res }, logged)
    for (const value of [{ id: 1 }, 'text', null, 7, []]) {
      log.info({ req: value, res: value }, 'logged')
      const { req, res, msg } = JSON.parse(lines.pop() ?? '')
      t.strictSame({ req, res, msg }, { req: {}, res: {}, msg: 'logged' })
    }
  })

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
