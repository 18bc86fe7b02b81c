import { mock } from 'node:test'
import fp from 'fastify-plugin'
import { build, startNetwork } from '../helpers/app.ts'
import { caller } from '../helpers/callers.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { documentOf, operationsOf } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'

const probes = ['getHealth', 'getReady', 'getMetrics']

/** What each error has. */
const ERROR = {
  statusCode: Number,
  code: /^[A-Z_]+$/,
  error: /./,
  message: /./,
  requestId: /./,
  docUrl: /^docs\/errors\.md#[a-z_]+$/
}

const as = <R extends { headers: object }>(key: object, request: R) => ({
  ...request,
  headers: { ...request.headers, ...key }
})

/** Stops the overload guard from sampling on a timer. @returns a function that takes one sample immediately */
function holdSamples(t: Test): () => void {
  const timers = globalThis.setTimeout
  let sample = () => {}
  const timer = mock.method(globalThis, 'setTimeout', (run: () => void, ms?: number, ...args: []) => {
    if (run.name !== 'beginMemoryUsageUpdate') return timers(run, ms, ...args)
    sample = run
    return timers(() => {}, 0)
  })
  t.teardown(() => timer.mock.restore())
  return () => sample()
}

/** Tests behaviour common to all routes. Each request is the example in the OpenAPI document. */
test('each operation in the OpenAPI document', async t => {
  const devnet = await startNetwork(t)

  const app = await build(t, {}, { devnet })

  t.test('ignores a trailing slash and unknown parameters, and allows only listed origins', async t => {
    for (const operation of operationsOf(documentOf(app))) {
      const { operationId, path, method } = operation
      const request = exampleRequest(operation)
      const answer = await app.inject(request)
      // Only responses that are the same for all clients are cacheable.
      const isPublic = path.startsWith('/chains')
      t.equal(answer.headers['cache-control'], isPublic ? 'public, max-age=10' : 'no-store', operationId)
      const more = [
        request.url.replace('?', '/?'),
        `${request.url}&unknown=1`,
        `${request.url}&unknown=1&unknown=2`
      ]
      for (const url of more)
        t.equal((await app.inject({ ...request, url })).statusCode, answer.statusCode, url)
      const wrong = await app.inject({ method: 'DELETE', url: request.url })
      t.match(wrong.json(), { statusCode: 404, code: 'ROUTE_NOT_FOUND' }, operationId)

      const preflight = (origin: string) => {
        const asked = 'content-type,idempotency-key,x-request-id'
        const headers = { 'access-control-request-method': method, 'access-control-request-headers': asked }
        return app.inject({ method: 'OPTIONS', url: path, headers: { origin, ...headers } })
      }
      const listed = await preflight('https://shop.example')
      t.equal(listed.statusCode, 204, operationId)
      t.match(listed.headers, {
        'access-control-allow-origin': 'https://shop.example',
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': new RegExp(`\\b${method}\\b`),
        'access-control-allow-headers': 'content-type,idempotency-key,x-request-id',
        'access-control-max-age': '7200',
        vary: /\bOrigin\b/
      })
      const refused = await app.inject({
        ...request,
        headers: { ...request.headers, origin: 'https://evil.example' }
      })
      for (const response of [await preflight('https://evil.example'), refused]) {
        t.match(
          response.json(),
          { ...ERROR, statusCode: 403, code: 'ORIGIN_BLOCKED', error: 'Forbidden' },
          operationId
        )
        t.match(response.headers, { 'cache-control': 'no-store', vary: 'Origin', 'x-request-id': /./ })
        for (const header of Object.keys(response.headers)) t.notMatch(header, /^access-control-/)
      }
    }
  })

  t.test('every operation except the liveness probe is rate-limited', async t => {
    const app = await build(t, { RATE_LIMIT_MAX: '1', TRUST_PROXY: 'loopback' }, { devnet })
    for (const [index, operation] of operationsOf(documentOf(app)).entries()) {
      const { method, url } = exampleRequest(operation)
      const ask = () => app.inject({ method, url, headers: { 'x-forwarded-for': `192.0.2.${index}` } })
      await ask()
      const response = await ask()
      const limited = response.statusCode === 429
      if (limited) {
        const message = 'Too many requests; try again in 60 seconds'
        t.match(response.json(), { ...ERROR, code: 'RATE_LIMITED', message }, operation.operationId)
        t.match(response.headers, { 'retry-after': '60', 'cache-control': 'no-store' })
      }
      t.equal(limited, operation.operationId !== 'getHealth', operation.operationId)
      t.equal(limited, '429' in operation.responses, operation.operationId)
    }
  })

  t.test('every operation except probes is rejected under overload', async t => {
    const sample = holdSamples(t)
    const { variables, headers } = caller(t)
    const lines: string[] = []
    const logTo = (line: string) => lines.push(line)
    const app = await build(t, { ...variables, LOG_LEVEL: 'warn' }, { devnet, logTo })
    await app.listen({ host: '127.0.0.1', port: 0 })
    // Take two samples in the same turn of the event loop.
    sample()
    sample()
    for (const operation of operationsOf(documentOf(app))) {
      const { operationId } = operation
      const response = await app.inject(as(headers, exampleRequest(operation)))
      if (probes.includes(operationId)) t.notMatch(response.body, /OVERLOADED/, operationId)
      else {
        t.match(response.json(), { ...ERROR, statusCode: 503, code: 'OVERLOADED' }, operationId)
        t.equal(response.headers['retry-after'], '1', operationId)
      }
    }
    t.equal(lines.filter(line => line.includes('overloaded, rejecting')).length, 1)
    await until(async () => {
      sample()
      return (await app.inject('/chains')).statusCode === 200
    }, 'requests are accepted again')
  })

  t.test('no operation reveals internal errors', async t => {
    const { variables, headers } = caller(t)
    const hooks = fp(async app => {
      app.addHook('preHandler', async () => {
        throw new Error('the database password is hunter2')
      })
    })
    const app = await build(t, variables, { devnet, hooks })
    for (const operation of operationsOf(documentOf(app))) {
      const response = await app.inject(as(headers, exampleRequest(operation)))
      t.match(response.json(), { ...ERROR, statusCode: 500, code: 'INTERNAL' }, operation.operationId)
      t.notMatch(response.body, /hunter2/)
    }
  })

  t.test('every operation except probes rejects an unknown API key', async t => {
    const app = await build(t, { ...caller(t).variables, SERVICE_ACCESS: 'keys' }, { devnet })
    for (const operation of operationsOf(documentOf(app))) {
      const response = await app.inject(as({ authorization: 'Bearer unknown' }, exampleRequest(operation)))
      t.equal(response.statusCode === 401, '401' in operation.responses, operation.operationId)
      t.equal(response.statusCode === 401, !probes.includes(operation.operationId), operation.operationId)
    }
  })

  t.test('every operation accepts only JSON bodies within the size limit', async t => {
    const { variables, headers } = caller(t)
    const app = await build(t, variables, { devnet })
    for (const operation of operationsOf(documentOf(app)).filter(({ method }) => method === 'POST')) {
      const example = as(headers, exampleRequest(operation))
      const send = async (payload: string, contentType = 'application/json') =>
        (await app.inject({ ...as({ 'content-type': contentType }, example), payload })).json()
      const { operationId } = operation
      t.match(await send('<xml/>', 'application/xml'), { code: 'UNSUPPORTED_MEDIA_TYPE' }, operationId)
      t.match(await send('{}', 'text/plain'), { code: 'UNSUPPORTED_MEDIA_TYPE' }, operationId)
      t.match(await send(' '.repeat(65_537)), { code: 'BODY_TOO_LARGE' }, operationId)
      t.match(await send(' '.repeat(65_536)), { code: 'INVALID_JSON' }, operationId)
      t.match(await send('{"amount":'), { code: 'INVALID_JSON' }, operationId)
      t.match(await send('[]'), { code: 'VALIDATION', message: 'body must be object' }, operationId)
    }
  })
})
