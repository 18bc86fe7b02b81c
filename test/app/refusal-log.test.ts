import { build } from '../helpers/app.ts'
import { type Test, test } from '../helpers/tap.ts'
import { cardBody, submit, swapBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

const SIGNATURE = `0x${'5e'.repeat(65)}`
const refused = swapBody({ amountIn: '0' }, { feeId: 'quote-1', signature: SIGNATURE })

/** A target address that the development chain rejects. */
const REFUSED_BY_CHAIN = `0x${'f7'.padStart(40, '0')}`

async function logging(t: Test) {
  const lines: string[] = []
  const server = await build(t, { LOG_LEVEL: 'info' }, { logTo: text => lines.push(text) })
  return { server, lines }
}

test('logs why a submission is rejected, but not its signature', async t => {
  const { server, lines } = await logging(t)
  t.equal((await submit(server, refused, { path: '/submit/swap' })).statusCode, 400)
  const found = lines.map(text => JSON.parse(text)).find(({ msg }) => msg === 'request refused')
  t.match(found, {
    code: 'VALIDATION',
    field: '/amountIn',
    reason: /^amountIn /,
    feeId: 'quote-1',
    reqId: String
  })
  t.notMatch(lines.join(''), SIGNATURE)
  t.equal((await submit(server, cardBody({ options: '{}' }))).statusCode, 400)
  t.match(JSON.parse(lines.findLast(text => text.includes('request refused')) ?? ''), {
    code: 'OPTIONS_INVALID'
  })

  const body = swapBody(
    { targetAddress: REFUSED_BY_CHAIN, feeId: 'quote-2' },
    { feeId: undefined, signature: SIGNATURE }
  )
  const response = await submit(server, body, { path: '/submit/swap' })
  t.match(response.json(), { statusCode: 400, code: 'CHAIN_REJECTED' })
  const logged = lines.map(text => JSON.parse(text))
  const { submissionId } = logged.find(({ msg }) => msg === 'submission accepted')
  t.match(submissionId, /^[0-9a-f-]{36}$/)
  t.match(
    logged.findLast(({ msg }) => msg === 'request refused'),
    { code: 'CHAIN_REJECTED', reason: response.json().message, feeId: 'quote-2', submissionId }
  )
})

test('logs floods and requests without a rate limit once a minute, and every other request', async t => {
  const { server, lines } = await logging(t)
  const logged = () => lines.filter(text => text.includes('responseTime')).map(text => JSON.parse(text))
  const origin = `https://evil.example\u009b${'x'.repeat(2000)}`
  const rejected = { url: '/chains/env', headers: { origin } }
  for (let sent = 0; sent < 30; sent += 1) {
    t.equal((await server.inject('/health')).statusCode, 200)
    t.equal((await server.inject(rejected)).statusCode, 403)
    await server.inject('/nowhere')
  }
  const counted = await until(() => {
    const found = logged().filter(({ req }) => req.path === '/nowhere')
    return found.length === 30 && found
  }, 'every request with a rate limit has a line')
  t.notOk(counted.some(({ requests }) => requests))
  t.match(
    logged().filter(({ req }) => req.path !== '/nowhere'),
    [
      { requests: 1, req: { path: '/health' } },
      {
        requests: 1,
        req: { path: '/chains/env' },
        code: 'ORIGIN_BLOCKED',
        origin: /^https:\/\/evil\.example x{279}…$/
      }
    ]
  )
  t.equal(logged().length, 32)
})
