import type { ServerResponse } from 'node:http'
import type { Devnet } from '../../packages/devnet/index.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { stretchTimers } from '../helpers/clock.ts'
import { json, serve } from '../helpers/local-server.ts'
import { sample } from '../helpers/metrics.ts'
import { type Test, test } from '../helpers/tap.ts'
import { documentOf, type NamedOperation, operationsOf } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'

const FAILED = { statusCode: 502, code: 'UPSTREAM_ERROR' }
const PASSWORD = { 'www-authenticate': 'Basic realm="internal detail"' }

/** Faults, with the response to a client. server/long/hostile-upstreams.test.ts covers every way to fail. */
const FAULTS: [fault: string, give: (response: ServerResponse) => unknown, failed: object][] = [
  ['fails', response => json(response, { message: 'internal detail' }, 500), FAILED],
  ['requires a password', response => response.writeHead(401, PASSWORD).end('{}'), FAILED],
  ['hangs', () => {}, { statusCode: 504, code: 'UPSTREAM_TIMEOUT' }]
]

const QUERY = 'SERVICE_BACKEND_NODE_PROVIDER_QUERY'
const INDEX = 'SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL'
const KYC = ['getKycStatus', 'readKycStatus']
const STATUSES = ['getTransactionStatus', 'getLiquidityTransactionStatus', 'getSwapStatus']
const isOfBitcoin = ({ tags }: NamedOperation) => tags.includes('bitcoin')
type Asks = (operation: NamedOperation) => boolean
const named =
  (...ids: string[]): Asks =>
  operation =>
    ids.includes(operation.operationId)
const asksOther = named('getFees', 'getCompliance', ...KYC)
/** Operations that document a 502 and ask no other upstream. */
const isOfChain: Asks = operation =>
  '502' in operation.responses && !asksOther(operation) && !isOfBitcoin(operation)

const SUBMISSION_FAILED = { statusCode: 503, code: 'COMPLIANCE_UNAVAILABLE' }

/** Upstreams, the variables with their URLs, the operations that ask them, and a response other than the fault's. */
const CASES: [upstream: string, variable: string, asks: Asks, answer?: object][] = [
  ['chain API', QUERY, isOfChain],
  // There is no intent to record a lock of.
  ['Bitcoin API', 'BTC_API_URL', each => isOfBitcoin(each) && !named('recordLock')(each)],
  ['fee service', 'SERVICE_BACKEND_FEE_URL', named('getFees')],
  ['KYC provider', 'KYC_URL', named(...KYC)],
  ['compliance provider', 'COMPLIANCE_URL', named('getCompliance')],
  ['compliance provider', 'COMPLIANCE_URL', named('submitTransfer', 'submitSwap'), SUBMISSION_FAILED],
  // The chain has no such transaction.
  ['GraphQL index', INDEX, named(...STATUSES), { statusCode: 404, code: 'NOT_FOUND' }]
]

interface LogLine {
  level: number
  reqId?: string
  err?: { message: string; cause?: { message: string } }
}

/** Builds the application with a faulty upstream. @returns a check of the operations that depend on the upstream */
async function checkOf(t: Test, devnet: Devnet, [upstream, variable, asks, answer]: (typeof CASES)[number]) {
  let give: (response: ServerResponse) => unknown = () => {}
  const { url } = await serve(t, (_request, response) => give(response))
  const lines: LogLine[] = []
  const env = { [variable]: url, LOG_LEVEL: 'warn', ...(variable === QUERY && { [INDEX]: '' }) }
  const app = await build(t, env, { devnet, logTo: line => void lines.push(JSON.parse(line)) })
  const operations = operationsOf(documentOf(app)).filter(asks)
  t.ok(operations.length > 0)

  return async ([fault, giving, failed]: (typeof FAULTS)[number], number: number) => {
    give = giving
    const requestIdOf = ({ operationId }: NamedOperation) => `${operationId}.${number}`
    async function check(operation: NamedOperation) {
      const { url, headers, ...example } = exampleRequest(operation)
      const response = await app.inject({
        ...example,
        // Lookups by id are cached for a second, so use a different id for each fault.
        url: url.replace('/42/', `/${42 + number}/`),
        headers: { ...headers, 'x-request-id': requestIdOf(operation) }
      })
      const what = `${upstream} ${fault}: ${operation.operationId}`
      t.match(response.json(), answer ?? failed, what)
      t.notMatch(response.body, /internal detail|127\.0\.0\.1/)
      if (response.statusCode === 503) t.match(response.headers['retry-after'], /^\d+$/)
      // This header would make a browser prompt for a password.
      t.notOk(response.headers['www-authenticate'], what)
    }
    await Promise.all(operations.map(check))
    // The index is read on behalf of several requests, so its log lines are warnings without a request id.
    const isIndex = variable === INDEX
    const isCause = (err?: { message: string }) => err?.message.startsWith(`${upstream}: `)
    const logged = lines
      .splice(0)
      .filter(({ level, err }) => level === (isIndex ? 40 : 50) && (isCause(err) || isCause(err?.cause)))
    const expected = operations.map(operation => (isIndex ? undefined : requestIdOf(operation)))
    t.strictSame(logged.map(({ reqId }) => reqId).sort(), expected.sort(), `${upstream} ${fault}: is logged`)
    if (fault !== 'hangs') return
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
  for (const [number, fault] of FAULTS.entries()) {
    if (fault[0] === 'hangs') restore()
    await Promise.all(checks.map(check => check(fault, number)))
  }
  t.equal(devnet.chain.mempool.size, 0, 'nothing is submitted without a check')
})
