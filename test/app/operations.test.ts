import { setImmediate } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { build, startNetwork } from '../helpers/app.ts'
import { caller } from '../helpers/callers.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { documentOf, operationsOf } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'

const probes = ['getHealth', 'getReady', 'getMetrics']

const ERROR = {
  statusCode: Number,
  code: /^[A-Z_]+$/,
  error: /./,
  message: /./,
  requestId: /./,
  docUrl: /^docs\/errors\.md#[a-z_]+$/
}

/** Headers of every response, which let widgets of other sites read it. */
const SECURITY = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  // In development, the service is on plain HTTP.
  'content-security-policy': /^(?!.*upgrade-insecure-requests).*default-src 'self'/,
  // The host may have other services.
  'strict-transport-security': undefined
}

const as = <R extends { headers: object }>(key: object, request: R) => ({
  ...request,
  headers: { ...request.headers, ...key }
})

/** Blocks the event loop for two samples of the overload guard; the first also contains shorter delays. */
async function overload(): Promise<void> {
  for (let sample = 0; sample < 2; sample += 1) {
    await setImmediate()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)
  }
  await setImmediate()
}

/** Tests behaviour common to all routes. Each request is the example in the OpenAPI document. */
test('each operation in the OpenAPI document', async t => {
  const devnet = await startNetwork(t)
  const app = await build(t, {}, { devnet })
  const operations = operationsOf(documentOf(app))

  t.test('ignores a trailing slash and unknown parameters, and allows only listed origins', async t => {
    for (const operation of operations) {
      const { operationId, path, method } = operation
      const request = exampleRequest(operation)
      const answer = await app.inject(request)
      // Only responses that are the same for all clients are cacheable.
      const isPublic = path.startsWith('/chains')
      const cached = { 'cache-control': isPublic ? 'public, max-age=10' : 'no-store' }
      t.match(answer.headers, { ...SECURITY, ...cached }, operationId)
      for (const url of [request.url.replace('?', '/?'), `${request.url}&unknown=1&unknown=2`])
        t.equal((await app.inject({ ...request, url })).statusCode, answer.statusCode, url)
      const wrong = await app.inject({ method: 'DELETE', url: request.url })
      t.match(wrong.json(), { ...ERROR, statusCode: 404, code: 'ROUTE_NOT_FOUND' }, operationId)
      t.match(wrong.headers, SECURITY)

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
      const other = 'https://evil.example'
      for (const response of [await preflight(other), await app.inject(as({ origin: other }, request))]) {
        const blocked = { statusCode: 403, code: 'ORIGIN_BLOCKED', error: 'Forbidden' }
        t.match(response.json(), { ...ERROR, ...blocked }, operationId)
        t.match(response.headers, { 'cache-control': 'no-store', vary: 'Origin', 'x-request-id': /./ })
        for (const header of Object.keys(response.headers)) t.notMatch(header, /^access-control-/)
      }
    }
  })

  t.test('every operation except the liveness probe is rate-limited', async t => {
    const app = await build(t, { RATE_LIMIT_MAX: '1', TRUST_PROXY: 'loopback' }, { devnet })
    for (const [index, operation] of operations.entries()) {
      const { method, url } = exampleRequest(operation)
      const ask = () => app.inject({ method, url, headers: { 'x-forwarded-for': `192.0.2.${index}` } })
      await ask()
      const response = await ask()
      const limited = response.statusCode === 429
      if (limited) {
        const message = /^Too many requests; try again in \d+ seconds$/
        t.match(response.json(), { ...ERROR, code: 'RATE_LIMITED', message }, operation.operationId)
        t.match(response.headers, { 'retry-after': /^\d+$/, 'cache-control': 'no-store' })
      }
      t.equal(limited, operation.operationId !== 'getHealth', operation.operationId)
      t.equal(limited, '429' in operation.responses, operation.operationId)
    }
  })

  t.test('every operation except probes is rejected under overload', async t => {
    const { variables, headers } = caller(t)
    const lines: string[] = []
    const logTo = (line: string) => lines.push(line)
    const app = await build(t, { ...variables, LOG_LEVEL: 'warn' }, { devnet, logTo })
    await app.listen({ host: '127.0.0.1', port: 0 })
    await overload()
    // All requests arrive before the next sample.
    const requests = operations.map(operation => app.inject(as(headers, exampleRequest(operation))))
    for (const [index, response] of (await Promise.all(requests)).entries()) {
      const { operationId = '' } = operations[index] ?? {}
      if (probes.includes(operationId)) t.notMatch(response.body, /OVERLOADED/, operationId)
      else {
        t.match(response.json(), { ...ERROR, statusCode: 503, code: 'OVERLOADED' }, operationId)
        t.equal(response.headers['retry-after'], '1', operationId)
      }
    }
    t.equal(lines.filter(line => line.includes('overloaded, rejecting')).length, 1)
    await until(async () => (await app.inject('/chains')).statusCode === 200, 'requests are accepted again')
  })

  t.test('no operation reveals internal errors', async t => {
    const { variables, headers } = caller(t)
    const hooks = fp(async app => {
      app.addHook('preHandler', async () => {
        throw new Error('the database password is hunter2')
      })
    })
    const app = await build(t, variables, { devnet, hooks })
    for (const operation of operations) {
      const response = await app.inject(as(headers, exampleRequest(operation)))
      t.match(response.json(), { ...ERROR, statusCode: 500, code: 'INTERNAL' }, operation.operationId)
      t.notMatch(response.body, /hunter2/)
    }
  })

  t.test('every operation except probes rejects an unknown API key', async t => {
    const app = await build(t, { ...caller(t).variables, SERVICE_ACCESS: 'keys' }, { devnet })
    for (const operation of operations) {
      const response = await app.inject(as({ authorization: 'Bearer unknown' }, exampleRequest(operation)))
      t.equal(response.statusCode === 401, '401' in operation.responses, operation.operationId)
      t.equal(response.statusCode === 401, !probes.includes(operation.operationId), operation.operationId)
    }
  })

  t.test('every operation that needs a setting returns 501 without it', async t => {
    const { variables, headers } = caller(t)
    const unset = { COMPLIANCE_URL: '', KYC_URL: '', KYC_API_KEY: '' }
    const app = await build(t, { ...variables, ...unset }, { devnet })
    for (const operation of operations.filter(({ responses }) => '501' in responses)) {
      const response = await app.inject(as(headers, exampleRequest(operation)))
      const expected = { ...ERROR, statusCode: 501, code: 'NOT_CONFIGURED', error: 'Not Implemented' }
      t.match(response.json(), expected, operation.operationId)
    }
    t.strictSame((await app.inject('/compliant/enabled')).json(), { enabled: false })
  })

  t.test('every operation accepts only JSON bodies within the size limit', async t => {
    const { variables, headers } = caller(t)
    const app = await build(t, variables, { devnet })
    for (const operation of operations.filter(({ method }) => method === 'POST')) {
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
