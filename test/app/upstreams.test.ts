import type { ServerResponse } from 'node:http'
import type { Devnet } from '../../packages/devnet/index.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { stretchTimers } from '../helpers/clock.ts'
import { json, serve } from '../helpers/local-server.ts'
import { sample } from '../helpers/metrics.ts'
import { type Test, test } from '../helpers/tap.ts'
import { documentOf, type NamedOperation, operationsOf } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'

/** One fault of each kind. server/long/hostile-upstreams.test.ts covers every way in which a call can fail. */
const FAULTS = {
  fails: response => json(response, { message: 'internal detail' }, 500),
  'requires a password': response =>
    response.writeHead(401, { 'www-authenticate': 'Basic realm="internal detail"' }).end('{}'),
  hangs: () => {}
} satisfies Record<string, (response: ServerResponse) => unknown>

type Fault = keyof typeof FAULTS

const QUERY = 'SERVICE_BACKEND_NODE_PROVIDER_QUERY'
const INDEX = 'SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL'
const QUOTES = ['getFees']
const STATUSES = ['getTransactionStatus', 'getLiquidityTransactionStatus', 'getSwapStatus']
const KYC = ['getKycStatus', 'readKycStatus']
const PROVIDERS = ['getCompliance', ...KYC]
const SUBMISSIONS = ['submitTransfer', 'submitSwap']
const isOfBitcoin = ({ tags }: NamedOperation) => tags.includes('bitcoin')

interface Case {
  upstream: string
  /** Variables with the URL of the upstream, and variables that are empty. */
  names: string[]
  without?: string[]
  asks: (operation: NamedOperation) => boolean
  /** The response during a fault; omit for a 502, or a 504 if the upstream hangs. */
  answers?: { statusCode: number; code: string }
  /** Level of the log line; 50 if omitted. */
  level?: number
}

const named =
  (...ids: string[]) =>
  ({ operationId }: NamedOperation) =>
    ids.includes(operationId)
/** Operations that document a 502 and ask no other upstream. */
const isOfChain = (operation: NamedOperation) =>
  '502' in operation.responses && !named(...QUOTES, ...PROVIDERS)(operation) && !isOfBitcoin(operation)

const CASES: Case[] = [
  { upstream: 'chain API', names: [QUERY], without: [INDEX], asks: isOfChain },
  // There is no intent to record a lock of.
  {
    upstream: 'Bitcoin API',
    names: ['BTC_API_URL'],
    asks: each => isOfBitcoin(each) && !named('recordLock')(each)
  },
  { upstream: 'fee service', names: ['SERVICE_BACKEND_FEE_URL'], asks: named(...QUOTES) },
  { upstream: 'KYC provider', names: ['KYC_URL'], asks: named(...KYC) },
  { upstream: 'compliance provider', names: ['COMPLIANCE_URL'], asks: named('getCompliance') },
  {
    ...{ upstream: 'compliance provider', names: ['COMPLIANCE_URL'], asks: named(...SUBMISSIONS) },
    answers: { statusCode: 503, code: 'COMPLIANCE_UNAVAILABLE' }
  },
  {
    ...{ upstream: 'GraphQL index', names: [INDEX], asks: named(...STATUSES) },
    // The chain has no such transaction.
    answers: { statusCode: 404, code: 'NOT_FOUND' },
    level: 40
  }
]

interface LogLine {
  level: number
  reqId?: string
  err?: { message: string; cause?: { message: string } }
}

/** Builds the application with a faulty upstream. @returns a check of the operations that depend on the upstream */
async function checkOf(t: Test, devnet: Devnet, each: Case) {
  const { upstream, names, without = [], asks, answers, level = 50 } = each
  let fault: Fault = 'fails'
  const { url } = await serve(t, (_request, response) => FAULTS[fault](response))
  const lines: LogLine[] = []
  const logTo = (line: string) => lines.push(JSON.parse(line))
  const variables = [...names.map(name => [name, url]), ...without.map(name => [name, ''])]
  const app = await build(t, { ...Object.fromEntries(variables), LOG_LEVEL: 'warn' }, { devnet, logTo })
  const operations = operationsOf(documentOf(app)).filter(asks)
  t.ok(operations.length > 0)

  return async (shown: Fault) => {
    fault = shown
    const number = Object.keys(FAULTS).indexOf(shown)
    const failed =
      shown === 'hangs'
        ? { statusCode: 504, code: 'UPSTREAM_TIMEOUT' }
        : { statusCode: 502, code: 'UPSTREAM_ERROR' }
    const requestIdOf = ({ operationId }: NamedOperation) => `${operationId}.${number}`
    const check = async (operation: NamedOperation) => {
      const { url, headers, ...example } = exampleRequest(operation)
      const response = await app.inject({
        ...example,
        // Lookups by id are cached for a second, so use a different id for each fault.
        url: url.replace('/42/', `/${42 + number}/`),
        headers: { ...headers, 'x-request-id': requestIdOf(operation) }
      })
      const what = `${upstream} ${shown}: ${operation.operationId}`
      t.match(response.json(), answers ?? failed, what)
      t.notMatch(response.body, /internal detail|127\.0\.0\.1/)
      if (answers?.statusCode === 503) t.match(response.headers['retry-after'], /^\d+$/)
      // This header would make a browser prompt for a password.
      t.notOk(response.headers['www-authenticate'], what)
    }
    await Promise.all(operations.map(check))
    const isCause = (err?: { message: string }) => err?.message.startsWith(`${upstream}: `)
    const logged = lines
      .splice(0)
      .filter(line => line.level === level && (isCause(line.err) || isCause(line.err?.cause)))
    // The index is read on behalf of several requests, so its log lines have no request id.
    const expected = operations.map(operation => (level === 50 ? requestIdOf(operation) : undefined))
    t.strictSame(logged.map(({ reqId }) => reqId).sort(), expected.sort(), `${upstream} ${shown}: is logged`)
    if (shown !== 'hangs') return
    const { body } = await app.inject('/metrics')
    const name = 'service_upstream_request_duration_seconds_count'
    t.ok(sample(body, name, { upstream, result: 'timeout' }), `${upstream}: is counted`)
  }
}

test('each upstream failure returns its documented status and is logged', async t => {
  const devnet = await startNetwork(t)
  const checks: Awaited<ReturnType<typeof checkOf>>[] = []
  for (const each of CASES) checks.push(await checkOf(t, devnet, each))
  // Stretch the timers, so that no call times out before the upstream responds with its error.
  const restore = stretchTimers(t)
  for (const fault of ['fails', 'requires a password'] as const) {
    for (const check of checks) await check(fault)
  }
  restore()
  await Promise.all(checks.map(check => check('hangs')))
  t.equal(devnet.chain.mempool.size, 0, 'nothing is submitted without a check')
})
