import type { ServerResponse } from 'node:http'
import type { Devnet } from '../../packages/devnet/index.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { stretchTimers } from '../helpers/clock.ts'
import { json, serve } from '../helpers/local-server.ts'
import { type Test, test } from '../helpers/tap.ts'
import { documentOf, type NamedOperation, operationsOf } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'

interface Fault {
  name: string
  status: number
  answer(response: ServerResponse): void
}

/** One fault of each kind. server/long/hostile-upstreams.test.ts covers every way in which a call can fail. */
const FAULTS: Fault[] = [
  {
    name: 'fails',
    status: 502,
    answer: response => json(response, { message: 'internal detail' }, 500)
  },
  {
    name: 'requires a password',
    status: 502,
    answer: response => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="internal detail"' }).end('{}')
    }
  },
  {
    name: 'sends JSON of another shape',
    status: 502,
    answer: response => json(response, ['internal detail'])
  },
  { name: 'hangs', status: 504, answer: () => {} }
]

const QUOTES = ['getFees']
const STATUSES = ['getTransactionStatus', 'getLiquidityTransactionStatus', 'getSwapStatus']
const KYC = ['getKycStatus', 'readKycStatus']
const PROVIDERS = ['getCompliance', ...KYC]
const SUBMISSIONS = ['submitTransfer', 'submitSwap']

interface Case {
  upstream: string
  variables: (url: string) => Record<string, string>
  asks: (operation: NamedOperation) => boolean
}

const CASES: Case[] = [
  {
    upstream: 'chain API',
    variables: url => ({
      SERVICE_BACKEND_NODE_PROVIDER_QUERY: url,
      SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: ''
    }),
    asks: ({ operationId, responses }) =>
      '502' in responses && !QUOTES.includes(operationId) && !PROVIDERS.includes(operationId)
  },
  {
    upstream: 'fee service',
    variables: url => ({ SERVICE_BACKEND_FEE_URL: url }),
    asks: ({ operationId }) => QUOTES.includes(operationId)
  },
  {
    upstream: 'compliance provider',
    variables: url => ({ COMPLIANCE_URL: url }),
    asks: ({ operationId }) => operationId === 'getCompliance'
  },
  {
    upstream: 'KYC provider',
    variables: url => ({ KYC_URL: url }),
    asks: ({ operationId }) => KYC.includes(operationId)
  }
]

interface LogLine {
  level: number
  reqId?: string
  err?: { message: string; cause?: { message: string } }
}

/** Builds the application with a faulty upstream. @returns the operations that depend on it, and how to send them */
async function withFaults(t: Test, devnet: Devnet, { variables, asks }: Omit<Case, 'upstream'>) {
  let fault: Fault | undefined
  const { url } = await serve(t, (_request, response) => fault?.answer(response))
  const lines: LogLine[] = []
  const logTo = (line: string) => lines.push(JSON.parse(line))
  const app = await build(t, { ...variables(url), LOG_LEVEL: 'warn' }, { devnet, logTo })
  const operations = operationsOf(documentOf(app)).filter(asks)

  /** Sends the example of each operation in parallel during a fault. @returns the responses and the log lines */
  async function ask(shown: Fault) {
    fault = shown
    const number = FAULTS.indexOf(shown)
    const asked = operations.map(async operation => {
      const { operationId } = operation
      const requestId = `${operationId}.${number}`
      const { url, headers, ...example } = exampleRequest(operation)
      const response = await app.inject({
        ...example,
        // Lookups by id are cached for a second, so use a different id for each fault.
        url: url.replace('/42/', `/${42 + number}/`),
        headers: { ...headers, 'x-request-id': requestId }
      })
      return { operationId, requestId, response }
    })
    const answers = await Promise.all(asked)
    return { answers, lines: lines.splice(0) }
  }

  return { operations, ask }
}

test('each upstream failure returns its documented status and is logged', async t => {
  const devnet = await startNetwork(t)
  /** Each check sends the operations that depend on one upstream while that upstream has the given fault. */
  const checks: ((fault: Fault) => Promise<void>)[] = []

  for (const { upstream, ...needed } of CASES) {
    const { operations, ask } = await withFaults(t, devnet, needed)
    t.ok(operations.length > 0)
    checks.push(async fault => {
      const { answers, lines } = await ask(fault)
      for (const { operationId, requestId, response } of answers) {
        const what = `${upstream} ${fault.name}: ${operationId}`
        t.equal(response.statusCode, fault.status, what)
        t.match(response.json(), { code: fault.status === 504 ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_ERROR' })
        t.notMatch(response.body, /internal detail|127\.0\.0\.1/)
        t.notOk(
          response.headers['www-authenticate'],
          'www-authenticate would make a browser prompt for a password'
        )
        const line = lines.find(({ level, reqId }) => level === 50 && reqId === requestId)
        t.match(line?.err?.message, new RegExp(`^${upstream}: `), `${what}: is logged`)
      }
    })
  }

  const compliance = await withFaults(t, devnet, {
    variables: url => ({ COMPLIANCE_URL: url }),
    asks: ({ operationId }) => SUBMISSIONS.includes(operationId)
  })
  t.equal(compliance.operations.length, SUBMISSIONS.length)
  checks.push(async fault => {
    const { answers, lines } = await compliance.ask(fault)
    for (const { response } of answers) {
      t.match(
        response.json(),
        { statusCode: 503, code: 'COMPLIANCE_UNAVAILABLE' },
        `not checked: ${fault.name}`
      )
      t.match(response.headers['retry-after'], /^\d+$/)
    }
    const logged = lines.filter(({ err }) => err?.cause?.message.startsWith('compliance provider: '))
    t.equal(logged.length, SUBMISSIONS.length, `compliance provider ${fault.name}: is logged`)
  })

  const index = await withFaults(t, devnet, {
    variables: url => ({ SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: url }),
    asks: ({ operationId }) => STATUSES.includes(operationId)
  })
  t.equal(index.operations.length, STATUSES.length)
  checks.push(async fault => {
    const { answers, lines } = await index.ask(fault)
    for (const { response } of answers) {
      t.equal(response.statusCode, 404, `index ${fault.name}: the chain has no such transaction`)
    }
    const logged = lines.filter(
      ({ level, err }) => level === 40 && err?.message.startsWith('GraphQL index: ')
    )
    t.equal(logged.length, STATUSES.length, `GraphQL index ${fault.name}: is logged`)
  })

  // Stretch the timers, so that no call times out before the upstream responds with its error.
  const restore = stretchTimers(t)
  for (const fault of FAULTS.filter(({ status }) => status === 502)) {
    for (const check of checks) await check(fault)
  }
  restore()
  for (const fault of FAULTS.filter(({ status }) => status === 504)) {
    await Promise.all(checks.map(check => check(fault)))
  }
  t.equal(devnet.chain.mempool.size, 0, 'nothing is submitted without a check')
})
