import type { ServerResponse } from 'node:http'
import { bodyOf, type Quote } from '../../../packages/client/index.ts'
import type { SubmitState } from '../../../packages/client/submit.ts'
import type { Timing } from '../../../packages/client/timing.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { TRANSFER } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'
import { createSkippingClient } from '../skipping-client.ts'

/** A network fault that affects one attempt. Attempts without a fault reach the service. */
type Fault = (response: ServerResponse, passOn: () => Promise<Response>) => Promise<void> | void

const ALLOWANCE = { token: '0x01', spender: '0x02', needed: '2', found: '1' }

const refuse = (code: string, status: number, headers: Record<string, string> = {}): Fault => {
  const body = {
    statusCode: status,
    code,
    error: 'Error',
    message: `is ${code}`,
    requestId: 'r1',
    allowance: ALLOWANCE,
    customCode: 'c1'
  }
  return response => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    json(response, body, status)
  }
}

const FAULTS: Record<string, Fault> = {
  'a connection lost before the request reaches the service': response => void response.destroy(),
  'a connection lost before the response reaches the client': async (response, passOn) => {
    await passOn()
    response.destroy()
  },
  'a response cut off mid-body': async (response, passOn) => {
    const text = await (await passOn()).text()
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    response.write(text.slice(0, -9), () => response.destroy())
  },
  'truncated JSON': async (response, passOn) => {
    const text = await (await passOn()).text()
    response.writeHead(200, { 'content-type': 'application/json' }).end(text.slice(0, -9))
  },
  'an empty response': async (response, passOn) => {
    await passOn()
    response.writeHead(200).end()
  },
  'unexpected JSON': async (response, passOn) => {
    await passOn()
    json(response, { submissionId: 's1' })
  },
  'a list': response => json(response, []),
  null: response => json(response, null),
  'a proxy’s HTML page with status 200': response => void response.end('<html>Welcome</html>'),
  'a proxy’s HTML page with status 502': async (response, passOn) => {
    await passOn()
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
  },
  'a proxy’s HTML page with status 408': response => void response.writeHead(408).end('<html>'),
  'a proxy’s HTML page with status 429': response => void response.writeHead(429).end('<html>'),
  '429': refuse('RATE_LIMITED', 429, { 'retry-after': '7' }),
  '503': refuse('INTAKE_CLOSED', 503, { 'retry-after': '5' }),
  '503 SUBMISSION_UNKNOWN': refuse('SUBMISSION_UNKNOWN', 503, { 'retry-after': '5' }),
  '500': refuse('INTERNAL', 500),
  'an error code from a newer service': refuse('TOO_MODERN', 503)
}

/** A service behind a proxy that applies one of the faults to each submission attempt, in order. */
async function serviceBehind(t: Test, settings: Record<string, string> = {}) {
  const devnet = await startNetwork(t)
  const server = await build(t, settings, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  let faults: Fault[] = []
  const door = await serve(t, async ({ method, url: path, body, headers }, response) => {
    const key = headers['idempotency-key']
    const passOn = () =>
      patientFetch(url + path, {
        method,
        ...(method === 'POST' && {
          body,
          headers: {
            'content-type': 'application/json',
            ...(typeof key === 'string' && { 'idempotency-key': key })
          }
        })
      })
    const fault = method === 'POST' ? faults.shift() : undefined
    if (fault !== undefined) return fault(response, passOn)
    const answer = await passOn()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(await answer.text())
  })
  const client = createSkippingClient(door.url)
  return {
    client,
    attempts: () => door.seen.filter(({ method }) => method === 'POST'),
    fail(next: Fault[]) {
      faults = next
      door.seen.length = 0
    },
    executions: (feeId: string) => readChain(devnet, server.signer.address).executions.get(feeId)
  }
}

const signed = (quote: Quote) => bodyOf(quote, { signature: '0xsigned' })

const sameEachTime = (t: Test, attempts: readonly SeenRequest[]) => {
  t.equal(new Set(attempts.map(({ body }) => body)).size, 1, 'every attempt has the same body')
  t.equal(
    new Set(attempts.map(({ headers }) => headers['idempotency-key'])).size,
    1,
    'every attempt has the same key'
  )
}

test('executes a submission once even if attempts fail', async t => {
  const { client, attempts, fail, executions } = await serviceBehind(t)
  for (const [name, fault] of Object.entries(FAULTS)) {
    await t.test(name, async t => {
      fail([fault, fault])
      const quote = await client.quote(TRANSFER)
      const states: string[] = []
      const { txId } = await client.submitAndWait(signed(quote), {
        idempotencyKey: quote.feeId,
        onState: ({ status }) => states.push(status)
      })
      t.type(txId, 'number')
      t.same(states, ['sending', 'waiting', 'sending', 'waiting', 'sending', 'committed'])
      sameEachTime(t, attempts())
      t.equal(executions(quote.feeId), 1)
    })
  }
})

test("retries with the original body even if the caller's object changes", async t => {
  const { client, attempts, fail, executions } = await serviceBehind(t)
  fail([response => void response.destroy()])
  const quote = await client.quote(TRANSFER)
  const body = signed(quote)
  await client.submitAndWait(body, {
    onState(state) {
      if (state.status === 'waiting') body.options = signed({ ...quote, feeId: 'another' }).options
    }
  })
  sameEachTime(t, attempts())
  t.equal(executions(quote.feeId), 1)
  t.equal(executions('another'), undefined)
})

test('watches an accepted submission until the chain has executed it', async t => {
  const { client, executions } = await serviceBehind(t, { SERVICE_SUBMIT_TIMEOUT: '0' })
  const quote = await client.quote(TRANSFER)
  const states: SubmitState[] = []
  const { submissionId, txId, transactionHash, height } = await client.submitAndWait(signed(quote), {
    onState: state => states.push(state)
  })
  t.match(
    { txId, transactionHash, height },
    { txId: Number, transactionHash: /^[0-9A-F]{64}$/, height: Number }
  )
  t.match(states.at(-1), { status: 'committed', submissionId })
  t.equal(executions(quote.feeId), 1)
})

test("passes on the service's error messages and codes", async t => {
  const { client, attempts } = await serviceBehind(t)
  const quote = await client.quote(TRANSFER)
  const body = { ...signed(quote), targetAddress: 'nowhere' }
  await t.rejects(client.submitAndWait(body), {
    name: 'ClientError',
    code: 'ADDRESS_INVALID',
    mayBeAccepted: false,
    message: /targetAddress/,
    failure: { status: 400, requestId: String, details: [{ path: '/targetAddress' }] }
  })
  t.equal(attempts().length, 1)
  await t.rejects(client.quote({ ...TRANSFER, amount: '-1' }), { code: 'VALIDATION' })
})

/** A service that sends scripted responses to submissions, and repeats the last response. */
async function scripted(t: Test, answers: Fault[], submission: object = {}, limits: Partial<Timing> = {}) {
  const passOn = () => Promise.reject(new Error('nowhere'))
  const server = await serve(t, ({ method }, response) => {
    if (method === 'GET') return json(response, submission)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    return answer?.(response, passOn)
  })
  return { client: createSkippingClient(server.url, limits), server }
}

const BODY = {
  ...TRANSFER,
  amount: '100500000',
  fee: '42',
  decimals: 6,
  options: JSON.stringify({ feeId: 'f1', signature: '0xsigned' })
}

const lose: Fault = response => void response.destroy()
const accepted: Fault = response => json(response, { submissionId: 's1', status: 'queued' }, 202)
const committed: Fault = response =>
  json(response, { submissionId: 's1', txId: 7, transactionHash: 'AB', height: 3, events: [] })

test('retries an error for a minute after an attempt that got no response', async t => {
  let passed = 0
  const slow: Fault = response => {
    passed = 80_000
    response.destroy()
  }
  const now = (): number => performance.now() + passed + client.waited()
  const { client, server } = await scripted(t, [slow, refuse('QUOTE_UNKNOWN', 400)], {}, { now })
  await t.rejects(client.submitAndWait(BODY), { code: 'QUOTE_UNKNOWN', mayBeAccepted: false })
  t.ok(client.waited() >= 60_000, `${client.waited()} ms`)
  sameEachTime(t, server.seen)
})

test('retries an error for a minute if an earlier call might have sent the body', async t => {
  const { client } = await scripted(t, [refuse('QUOTE_UNKNOWN', 400)])
  await t.rejects(client.submitAndWait(BODY, { isRepeated: true }), {
    code: 'QUOTE_UNKNOWN',
    mayBeAccepted: false
  })
  t.ok(client.waited() >= 59_000, `${client.waited()} ms`)
  const found = await scripted(t, [refuse('QUOTE_UNKNOWN', 400), committed])
  t.match(await found.client.submitAndWait(BODY, { isRepeated: true }), { txId: 7 })
  await t.rejects(client.submitAndWait(BODY, { isRepeated: true, signal: AbortSignal.abort() }), {
    code: 'ABORTED',
    mayBeAccepted: true
  })
})

test('returns the result of an accepted attempt whose response was lost, even if retries are first rejected', async t => {
  const conflict = refuse('QUOTE_ALREADY_USED', 409)
  const { client } = await scripted(t, [lose, refuse('QUOTE_UNKNOWN', 400), conflict, committed])
  t.match(await client.submitAndWait(BODY), { submissionId: 's1', txId: 7 })
})

test('does not retry after a permanent error on the first attempt', async t => {
  for (const [code, status, mayBeAccepted] of [
    ['QUOTE_UNKNOWN', 400, false],
    ['NOT_COMPLIANT', 403, false],
    ['QUOTE_ALREADY_USED', 409, true],
    ['PAYMENT_ALREADY_USED', 409, true],
    ['DAILY_FEE_LIMIT', 503, false]
  ] as const) {
    const { client, server } = await scripted(t, [refuse(code, status, { 'retry-after': '40000' })])
    await t.rejects(client.submitAndWait(BODY), { code, mayBeAccepted })
    t.equal(server.seen.length, 1, code)
  }
  const { client: behindProxy } = await scripted(t, [response => void response.writeHead(403).end('<html>')])
  await t.rejects(behindProxy.submitAndWait(BODY), { code: 'UNREADABLE', mayBeAccepted: true })
  const { client: older } = await scripted(t, [refuse('TOO_MODERN', 422)])
  const failure = { serviceCode: 'TOO_MODERN', allowance: ALLOWANCE, customCode: 'c1' }
  await t.rejects(older.submitAndWait(BODY), { code: 'UNKNOWN', failure, mayBeAccepted: true })
  t.equal(behindProxy.waited() + older.waited(), 0)
})

test('does not resend a submission that the chain rejected', async t => {
  const { client, server } = await scripted(t, [lose, refuse('CHAIN_REJECTED', 400), committed])
  await t.rejects(client.submitAndWait(BODY), { code: 'CHAIN_REJECTED', mayBeAccepted: false })
  t.equal(server.seen.length, 2)
})

test('rejects with the chain’s error if the chain rejects an accepted submission', async t => {
  const error = { chainCode: 1103, codespace: 'transaction', message: 'amount exceeds the transfer limit' }
  const { client } = await scripted(t, [accepted], { submissionId: 's1', status: 'rejected', error })
  const states: string[] = []
  await t.rejects(client.submitAndWait(BODY, { onState: ({ status }) => states.push(status) }), {
    code: 'CHAIN_REJECTED',
    mayBeAccepted: false,
    message: 'The chain refused the transaction (transaction 1103): amount exceeds the transfer limit'
  })
  t.same(states, ['sending', 'rejected'])
})

test('stops retrying after two minutes and reports whether the submission might have been accepted', async t => {
  for (const [fault, code, mayBeAccepted] of [
    [refuse('INTAKE_CLOSED', 503, { 'retry-after': '5' }), 'INTAKE_CLOSED', false],
    [refuse('RATE_LIMITED', 429, { 'retry-after': '3600' }), 'RATE_LIMITED', false],
    [refuse('SUBMISSION_UNKNOWN', 503, { 'retry-after': '5' }), 'SUBMISSION_UNKNOWN', true],
    [lose, 'NETWORK', true],
    [response => void response.end('no JSON'), 'UNREADABLE', true]
  ] satisfies [Fault, string, boolean][]) {
    const { client, server } = await scripted(t, [fault])
    await t.rejects(client.submitAndWait(BODY), { code, mayBeAccepted })
    t.ok(client.waited() <= 120_000, `${code}: ${client.waited()} ms`)
    if (code === 'NETWORK') t.ok(server.seen.length <= 8, `the pauses double: ${server.seen.length} attempts`)
  }
})

test('waits for the time in retry-after before it retries', async t => {
  const { client } = await scripted(t, [refuse('RATE_LIMITED', 429, { 'retry-after': '40' }), committed])
  await client.submitAndWait(BODY)
  t.ok(client.waited() >= 40_000 && client.waited() <= 50_000, `${client.waited()} ms`)
  const until = new Date(Date.now() + 3_600_000).toUTCString()
  const { client: busy } = await scripted(t, [refuse('RATE_LIMITED', 429, { 'retry-after': until })])
  const error = await busy.submitAndWait(BODY).catch(error => error)
  t.match(error, { code: 'RATE_LIMITED' })
  t.ok(error.retryAfter > 0 && error.retryAfter <= 3_600_000, `${error.retryAfter} ms`)
  t.equal(busy.waited(), 0, 'the proxy’s date is too late to wait for')
})

test('an aborted call reports whether the submission might have been accepted', async t => {
  const { client, server } = await scripted(t, [() => {}])
  await t.rejects(client.submitAndWait(BODY, { signal: AbortSignal.abort() }), {
    code: 'ABORTED',
    mayBeAccepted: false
  })
  t.equal(server.seen.length, 0)

  const user = new AbortController()
  const submitting = t.rejects(client.submitAndWait(BODY, { signal: user.signal }), {
    code: 'ABORTED',
    mayBeAccepted: true,
    cause: 'left'
  })
  await until(() => server.seen.length > 0, 'the service received the submission')
  user.abort('left')
  await submitting

  const waiting = new AbortController()
  const refusing = await scripted(t, [refuse('INTAKE_CLOSED', 503)])
  await t.rejects(
    refusing.client.submitAndWait(BODY, {
      signal: waiting.signal,
      onState: ({ status }) => status === 'waiting' && waiting.abort()
    }),
    { code: 'ABORTED', mayBeAccepted: false }
  )
})

test('a rejection proves nothing while another call sends the same body', async t => {
  const { client, server } = await scripted(t, [() => {}, refuse('QUOTE_UNKNOWN', 400)])
  const user = new AbortController()
  const other = t.rejects(client.submitAndWait(BODY, { signal: user.signal }), { code: 'ABORTED' })
  await until(() => server.seen.length > 0, 'the service received the first submission')
  await t.rejects(client.submitAndWait(BODY), { code: 'QUOTE_UNKNOWN', mayBeAccepted: true })
  user.abort()
  await other
})

test('a rejection by the chain proves nothing about a later attempt of another call', async t => {
  const submission = { submissionId: 's1', status: 'queued' }
  let isTold = () => {}
  const told = new Promise<void>(resolve => {
    isTold = resolve
  })
  const refused = refuse('QUOTE_UNKNOWN', 400)
  const afterTheRejection: Fault = async (...way) => {
    submission.status = 'rejected'
    await told
    await refused(...way)
  }
  const { client, server } = await scripted(t, [accepted, lose, afterTheRejection, refused], submission)
  const first = t.rejects(client.submitAndWait(BODY), { code: 'CHAIN_REJECTED' })
  await until(() => server.seen.length > 1, 'the client watches the accepted submission')
  const second = t.rejects(client.submitAndWait(BODY), { code: 'QUOTE_UNKNOWN', mayBeAccepted: false })
  await first
  isTold()
  await second
  const attempts = server.seen.filter(({ method }) => method === 'POST').length
  t.ok(attempts > 3, `the second call retries the lost attempt: ${attempts} attempts`)
})

test('the rejection of a retry damaged in transit does not prove that an earlier attempt was rejected', async t => {
  const damaged = await scripted(t, [lose, refuse('INVALID_JSON', 400)])
  await t.rejects(damaged.client.submitAndWait(BODY), { code: 'INVALID_JSON', mayBeAccepted: true })
  t.ok(damaged.client.waited() >= 60_000, `${damaged.client.waited()} ms`)
  const first = await scripted(t, [refuse('INVALID_JSON', 400)])
  await t.rejects(first.client.submitAndWait(BODY), { code: 'INVALID_JSON', mayBeAccepted: false })
  const recovered = await scripted(t, [lose, refuse('ORIGIN_BLOCKED', 403), committed])
  t.match(await recovered.client.submitAndWait(BODY), { txId: 7 })
})

test('reports whether the submission might have been accepted when the calling code is wrong', async t => {
  const { client } = await scripted(t, [committed])
  for (const [failing, mayBeAccepted] of [
    ['sending', false],
    ['committed', true]
  ] as const) {
    const cause = new Error('the page failed to render')
    const onState = ({ status }: SubmitState) => {
      if (status === failing) throw cause
    }
    await t.rejects(client.submitAndWait(BODY, { onState }), { code: 'ABORTED', mayBeAccepted, cause })
  }
  const notSent = { code: 'ABORTED', mayBeAccepted: false, cause: { name: 'TypeError' } }
  await t.rejects(client.submitAndWait({ ...BODY, fee: 2n as never }), notSent)
  await t.rejects(client.submitAndWait(BODY, { idempotencyKey: 'a\nb' }), { code: 'ABORTED' })
})

test('rejects a response that contains the state of a different submission', async t => {
  const { client } = await scripted(t, [accepted], { submissionId: 's2', status: 'rejected' })
  await t.rejects(client.submitAndWait(BODY), { code: 'UNREADABLE', mayBeAccepted: true })
})

test('never reports an executed submission as not accepted', async t => {
  for (const [code, status] of [
    ['INVALID_JSON', 400],
    ['QUOTE_UNKNOWN', 400],
    ['INTAKE_CLOSED', 503]
  ] as const) {
    for (const first of [committed, accepted]) {
      const state = { submissionId: 's1', status: 'committed' }
      const { client } = await scripted(t, [first, refuse(code, status)], state)
      await client.submitAndWait(BODY)
      await t.rejects(client.submitAndWait(BODY), { code, mayBeAccepted: true })
    }
  }
})
