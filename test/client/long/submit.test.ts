import type { ServerResponse } from 'node:http'
import { bodyOf, type Quote } from '../../../packages/client/index.ts'
import type { SubmitState } from '../../../packages/client/submit.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { TRANSFER } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { createSkippingClient } from '../skipping-client.ts'

/** A network fault that affects one attempt. Attempts without a fault reach the service. */
type Fault = (response: ServerResponse, passOn: () => Promise<Response>) => Promise<void> | void

const ALLOWANCE = { token: '0x01', spender: '0x02', needed: '2', found: '1' }

const refuse = (code: string, status: number, headers: Record<string, string> = {}): Fault => {
  const more = { requestId: 'r1', allowance: ALLOWANCE, customCode: 'c1' }
  const body = { statusCode: status, code, error: 'Error', message: `is ${code}`, ...more }
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
  'a proxy’s HTML page with status 502': async (response, passOn) => {
    await passOn()
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
  },
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
    const sent = { 'content-type': 'application/json', 'idempotency-key': String(key) }
    const passOn = () =>
      patientFetch(url + path, { method, ...(method === 'POST' && { body, headers: sent }) })
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
  const sent = attempts.map(({ body, headers }) => `${headers['idempotency-key']} ${body}`)
  t.equal(new Set(sent).size, 1, 'every attempt has the same body and key')
}

test('executes a submission once even if attempts fail', async t => {
  const { client, attempts, fail, executions } = await serviceBehind(t)
  for (const [name, fault] of Object.entries(FAULTS)) {
    await t.test(`submits once despite ${name}`, async t => {
      fail([fault, fault])
      const quote = await client.quote(TRANSFER)
      const states: string[] = []
      const onState = ({ status }: SubmitState) => states.push(status)
      const { txId } = await client.submitAndWait(signed(quote), { idempotencyKey: quote.feeId, onState })
      t.type(txId, 'number')
      t.same(states, ['sending', 'waiting', 'sending', 'waiting', 'sending', 'committed'])
      sameEachTime(t, attempts())
      t.equal(executions(quote.feeId), 1)
    })
  }
})

/** A service that sends scripted responses to submissions, and repeats the last response. */
async function scripted(t: Test, answers: Fault[], submission: object = {}) {
  const passOn = () => Promise.reject(new Error('nowhere'))
  const server = await serve(t, ({ method }, response) => {
    if (method === 'GET') return json(response, submission)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    return answer?.(response, passOn)
  })
  return { client: createSkippingClient(server.url), server }
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

const html: Fault = response => void response.writeHead(403).end('<html>')
const noJson: Fault = response => void response.end('no JSON')
const unknown = refuse('QUOTE_UNKNOWN', 400)
const rejected = refuse('CHAIN_REJECTED', 400)
const damaged = refuse('INVALID_JSON', 400)
const refusal = { chainCode: 1103, codespace: 'transaction', message: 'above the limit' }
const chainsWords = `The chain refused the transaction (transaction 1103): ${refusal.message}`
const TOLD = { requestId: 'r1', serviceCode: 'TOO_MODERN', allowance: ALLOWANCE, customCode: 'c1' }
const refusedByChain = (submissionId: string) => ({ submissionId, status: 'rejected', error: refusal })
const rejectedLater = { submission: refusedByChain('s1'), error: { message: chainsWords } }
/** A `retry-after` in seconds that is beyond all patience, and a short one. */
const [LATE, SOON] = [{ 'retry-after': '40000' }, { 'retry-after': '5' }]

/** The least and the most time of all pauses, in seconds. */
const [NONE, SHORT, MINUTE, TWO] = [[0, 0] as const, [0, 60] as const, [59, 120] as const, [30, 120] as const]

/**
 * What is sent in response, of which the last repeats; what `submitAndWait` makes of it: a transaction id, or an error
 * and whether the submission may have been accepted; and how long it waits meanwhile.
 */
const OUTCOMES: [
  title: string,
  answers: Fault[],
  outcome: number | [code: string, mayBeAccepted: boolean],
  waits: readonly [least: number, most: number],
  more?: { attempts?: number; isRepeated?: true; submission?: object; error?: object }
][] = [
  ['an error after a lost response', [lose, unknown], ['QUOTE_UNKNOWN', false], MINUTE],
  ['an error on a repeated call', [unknown], ['QUOTE_UNKNOWN', false], MINUTE, { isRepeated: true }],
  ['a result on a repeated call', [unknown, committed], 7, SHORT, { isRepeated: true }],
  ['a lost response and an error', [lose, unknown, refuse('QUOTE_ALREADY_USED', 409), committed], 7, SHORT],
  ['a retry damaged in transit', [lose, damaged], ['INVALID_JSON', true], MINUTE],
  ['a first attempt damaged in transit', [damaged], ['INVALID_JSON', false], NONE],
  ['a retry that a proxy blocks', [lose, refuse('ORIGIN_BLOCKED', 403), committed], 7, SHORT],
  ['a rejected retry', [lose, rejected, committed], ['CHAIN_REJECTED', false], SHORT, { attempts: 2 }],
  ['a rejection by the chain', [accepted], ['CHAIN_REJECTED', false], NONE, rejectedLater],
  ['another’s state', [accepted], ['UNREADABLE', true], [0, 160], { submission: refusedByChain('s2') }],
  ['a proxy that blocks', [html], ['UNREADABLE', true], NONE],
  ['a newer error', [refuse('TOO_MODERN', 422)], ['UNKNOWN', true], NONE, { error: { failure: TOLD } }],
  ['an unknown quote', [refuse('QUOTE_UNKNOWN', 400, LATE)], ['QUOTE_UNKNOWN', false], NONE],
  ['a used quote', [refuse('QUOTE_ALREADY_USED', 409, LATE)], ['QUOTE_ALREADY_USED', true], NONE],
  ['the daily limit', [refuse('DAILY_FEE_LIMIT', 503, LATE)], ['DAILY_FEE_LIMIT', false], NONE],
  ['closed intake', [refuse('INTAKE_CLOSED', 503, SOON)], ['INTAKE_CLOSED', false], TWO],
  ['an unknown outcome', [refuse('SUBMISSION_UNKNOWN', 503, SOON)], ['SUBMISSION_UNKNOWN', true], TWO],
  ['a lost response', [lose], ['NETWORK', true], TWO],
  ['a response without JSON', [noJson], ['UNREADABLE', true], TWO],
  ['a retry-after of 40 s', [refuse('RATE_LIMITED', 429, { 'retry-after': '40' }), committed], 7, [40, 50]]
]

for (const [title, answers, outcome, [least, most], more = {}] of OUTCOMES) {
  test(`after ${title}, the call ${typeof outcome === 'number' ? 'succeeds' : `fails with ${outcome[0]}`}`, async t => {
    const { client, server } = await scripted(t, answers, more.submission)
    const call = client.submitAndWait(BODY, more.isRepeated && { isRepeated: true })
    if (typeof outcome === 'number') t.match(await call, { submissionId: 's1', txId: outcome })
    else await t.rejects(call, { code: outcome[0], mayBeAccepted: outcome[1], ...more.error })
    const sent = server.seen.filter(({ method }) => method === 'POST')
    sameEachTime(t, sent)
    t.equal(sent.length, more.attempts ?? (most === 0 ? 1 : sent.length))
    t.ok(sent.length <= 30, `the pauses grow: ${sent.length} attempts`)
    const waited = client.waited() / 1000
    t.ok(waited >= least && waited <= most, `${waited} s`)
  })
}

test('does not wait for a retry-after that is too late, but reports it', async t => {
  const until = new Date(Date.now() + 3_600_000).toUTCString()
  const { client: busy } = await scripted(t, [refuse('RATE_LIMITED', 429, { 'retry-after': until })])
  const error = await busy.submitAndWait(BODY).catch(error => error)
  t.match(error, { code: 'RATE_LIMITED' })
  t.ok(error.retryAfter > 0 && error.retryAfter <= 3_600_000, `${error.retryAfter} ms`)
  t.equal(busy.waited(), 0, 'the proxy’s date is too late to wait for')
})

test('an aborted call reports whether the submission might have been accepted', async t => {
  const { client, server } = await scripted(t, [() => {}])
  const unsent = { code: 'ABORTED', mayBeAccepted: false }
  await t.rejects(client.submitAndWait(BODY, { signal: AbortSignal.abort() }), unsent)
  t.equal(server.seen.length, 0)

  const user = new AbortController()
  const sent = { code: 'ABORTED', mayBeAccepted: true, cause: 'left' }
  const submitting = t.rejects(client.submitAndWait(BODY, { signal: user.signal }), sent)
  await until(() => server.seen.length > 0, 'the service received the submission')
  user.abort('left')
  await submitting

  const waiting = new AbortController()
  const refusing = await scripted(t, [refuse('INTAKE_CLOSED', 503)])
  const onState = ({ status }: SubmitState) => status === 'waiting' && waiting.abort()
  await t.rejects(refusing.client.submitAndWait(BODY, { signal: waiting.signal, onState }), unsent)
})

test('the submission may be accepted while another call sends the same body', async t => {
  const { client, server } = await scripted(t, [() => {}, refuse('QUOTE_UNKNOWN', 400)])
  const user = new AbortController()
  const other = t.rejects(client.submitAndWait(BODY, { signal: user.signal }), { code: 'ABORTED' })
  await until(() => server.seen.length > 0, 'the service received the first submission')
  await t.rejects(client.submitAndWait(BODY), { code: 'QUOTE_UNKNOWN', mayBeAccepted: true })
  user.abort()
  await other
})

test('a chain rejection does not settle a later attempt by another call', async t => {
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

test('errors in the caller’s code report whether the submission may be accepted', async t => {
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

test('never reports an executed submission as not accepted', async t => {
  const state = { submissionId: 's1', status: 'committed' }
  for (const refused of [damaged, unknown, refuse('INTAKE_CLOSED', 503)]) {
    for (const first of [committed, accepted]) {
      const { client } = await scripted(t, [first, refused], state)
      await client.submitAndWait(BODY)
      await t.rejects(client.submitAndWait(BODY), { name: 'ClientError', mayBeAccepted: true })
    }
  }
})
