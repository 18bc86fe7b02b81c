import type { ServerResponse } from 'node:http'
import type { Devnet } from '../../devnet/index.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { json, serve } from '../helpers/local-server.ts'
import { type Test, test } from '../helpers/tap.ts'
import { documentOf, type NamedOperation, operationsOf } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'

/** How an upstream fails, and the status that a client gets. */
const FAULTS: [name: string, status: number, answer: (response: ServerResponse) => void][] = [
  ['answers 500', 502, response => json(response, { message: 'internal detail' }, 500)],
  ['answers HTML', 502, response => response.end('<html>internal detail</html>')],
  ['answers half a JSON', 502, response => response.end('{"internal detail":{')],
  ['answers another shape', 502, response => json(response, ['internal detail'])],
  ['answers nothing', 502, response => response.end()],
  ['hangs up', 502, response => response.destroy()],
  ['hangs', 504, () => {}],
  ['hangs halfway', 504, response => response.writeHead(200, { 'content-length': 99 }).write('{')]
]

const QUOTES = ['getFee', 'getFees']
const STATUSES = ['getTransactionStatus', 'getLiquidityTransactionStatus', 'getSwapStatus']
const PROVIDERS = ['getCompliance', 'getKycStatus']
const SUBMISSIONS = ['submit', 'submitTransfer', 'submitSwap']

interface Case {
  /** What the log calls the upstream. */
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
    asks: ({ operationId }) => operationId === 'getKycStatus'
  }
]

interface LogLine {
  level: number
  reqId?: string
  err?: { message: string; cause?: { message: string } }
}

/** The application with an upstream that shows one fault after the other. */
async function withFaults(t: Test, devnet: Devnet, variables: Case['variables']) {
  let fault = 0
  const { url } = await serve(t, (_request, response) => FAULTS[fault]?.[2](response))
  const lines: LogLine[] = []
  const logTo = (line: string) => lines.push(JSON.parse(line))
  const app = await build(t, { ...variables(url), LOG_LEVEL: 'warn' }, { devnet, logTo })

  /** Requests all examples at once, each under a request id that identifies its log lines. */
  async function ask(operations: NamedOperation[]) {
    const asked = operations.map(async operation => {
      const { operationId } = operation
      const requestId = `${operationId}.${fault}`
      const { url, headers, ...example } = exampleRequest(operation)
      const response = await app.inject({
        ...example,
        // Answers about an id are cached for a second, so each round uses another id.
        url: url.replace('/42/', `/${42 + fault}/`),
        headers: { ...headers, 'x-request-id': requestId }
      })
      return { operationId, requestId, response }
    })
    return Promise.all(asked)
  }

  return {
    operations: operationsOf(documentOf(app)),
    ask,
    /** The log lines since the last call. */
    log: () => lines.splice(0),
    next: () => {
      fault += 1
    }
  }
}

test('upstreams that fail', async t => {
  const devnet = await startNetwork(t)
  t.jobs = 2 + CASES.length

  for (const { upstream, variables, asks } of CASES) {
    t.test(upstream, { buffered: true }, async t => {
      const { operations, ask, log, next } = await withFaults(t, devnet, variables)
      const asking = operations.filter(asks)
      t.ok(asking.length > 0)
      for (const [name, status] of FAULTS) {
        const answers = await ask(asking)
        const lines = log()
        for (const { operationId, requestId, response } of answers) {
          t.equal(response.statusCode, status, `${name}: ${operationId}`)
          t.match(response.json(), { code: status === 504 ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_ERROR' })
          t.notMatch(response.body, /internal detail|127\.0\.0\.1/)
          const line = lines.find(({ level, reqId }) => level === 50 && reqId === requestId)
          t.match(line?.err?.message, new RegExp(`^${upstream}: `), `${name}: the log of ${operationId}`)
        }
        next()
      }
    })
  }

  t.test('compliance provider: nothing is submitted without a check', { buffered: true }, async t => {
    const { operations, ask, log, next } = await withFaults(t, devnet, url => ({ COMPLIANCE_URL: url }))
    const asking = operations.filter(({ operationId }) => SUBMISSIONS.includes(operationId))
    t.equal(asking.length, SUBMISSIONS.length)
    for (const [name] of FAULTS) {
      for (const { response } of await ask(asking)) {
        t.match(response.json(), { statusCode: 503, code: 'COMPLIANCE_UNAVAILABLE' }, name)
        t.match(response.headers['retry-after'], /^\d+$/)
      }
      const lines = log().filter(({ err }) => err?.cause?.message.startsWith('compliance provider: '))
      t.equal(lines.length, SUBMISSIONS.length, `${name}: is logged`)
      next()
    }
    t.equal(devnet.chain.mempool.size, 0)
  })

  t.test('GraphQL index: the chain API answers instead', { buffered: true }, async t => {
    const variables = (url: string) => ({ SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: url })
    const { operations, ask, log, next } = await withFaults(t, devnet, variables)
    const asking = operations.filter(({ operationId }) => STATUSES.includes(operationId))
    t.equal(asking.length, STATUSES.length)
    for (const [name] of FAULTS) {
      for (const { response } of await ask(asking)) {
        t.equal(response.statusCode, 404, `${name}: the chain has no such transaction`)
      }
      const lines = log().filter(
        ({ level, err }) => level === 40 && err?.message.startsWith('GraphQL index: ')
      )
      t.equal(lines.length, STATUSES.length, `${name}: is logged`)
      next()
    }
  })
})
