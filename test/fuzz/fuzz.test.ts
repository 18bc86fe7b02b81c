import { type ErrorCode, errorCatalogue } from '../../services/errors/catalogue.ts'
import { build } from '../helpers/app.ts'
import fc, { seed } from '../helpers/fast-check.ts'
import { TOO_BUSY } from '../helpers/patient-fetch.ts'
import { test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer-flow.ts'
import { documentOf } from '../openapi/document.ts'
import { hostileRequests } from './hostile-requests.ts'
import { bytesOf, type RawRequest, type RawResponse, sendRaw } from './raw-client.ts'

const REQUESTS_PER_RUN = 25

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code)

interface ErrorBody {
  statusCode: number
  code: string
  message: string
  requestId: string
  details?: { path: string; message: string }[]
}

const parse = (body: string): ErrorBody => JSON.parse(body)

/** What is wrong with an answer; undefined when it is correct. */
function faultOf({ status, headers, body }: RawResponse, method: string): string | undefined {
  // On a slow machine the service may be behind the chain, or it or an upstream has no time for a request.
  const isSlow = method === 'HEAD' || TOO_BUSY.test(body) || body.startsWith('{"ready":false')
  if (status >= 500) return (status === 503 || status === 504) && isSlow ? undefined : `status ${status}`
  if (/node_modules|\.ts:\d|\.js:\d|\/src\//.test(body)) return 'internals are revealed'
  if (status < 400 || method === 'HEAD') return undefined
  // Node's own: there is no Host, or the expectation is unknown.
  if (status === 417 || (status === 400 && body === '')) return undefined
  const error = parse(body)
  const { code } = error
  if (!isErrorCode(code)) return `unknown code ${code}`
  if (errorCatalogue[code].statusCode !== status || error.statusCode !== status) return 'another status'
  if (!headers.get('content-type')?.startsWith('application/json')) return 'not JSON'
  if (typeof error.message !== 'string' || error.message === '') return 'no message'
  if (error.requestId !== headers.get('x-request-id')) return 'another request id'
  if (code !== 'OPTIONS_INVALID' && !/`details`/.test(errorCatalogue[code].meaning)) return undefined
  const { details = [] } = error
  const named = details.every(({ path, message }) => /^\//.test(path) || message === 'must be object')
  return details.length > 0 && named ? undefined : 'the field is not named'
}

/** Node closes the connection of a longer head, and the reset may overtake its answer. */
const MOST_HEAD_BYTES = 16_384

async function answerTo(port: number, request: RawRequest): Promise<RawResponse | 'reset'> {
  try {
    return await sendRaw(port, request)
  } catch (error) {
    if (bytesOf({ ...request, body: '' }).length > MOST_HEAD_BYTES) return 'reset'
    throw error
  }
}

/** Each sends up to 25 requests at once; one that fails is reduced to the requests that fail. */
const runs = 100

test(`hostile requests, seed ${seed}`, async t => {
  const server = await build(t)
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const statuses = new Map<number, number>()
  let requests = 0

  const requestsOfOneRun = fc.array(hostileRequests(documentOf(server)), {
    minLength: 1,
    maxLength: REQUESTS_PER_RUN,
    size: 'max'
  })
  const answersWell = fc.asyncProperty(requestsOfOneRun, async batch => {
    const answers = await Promise.all(
      batch.map(async request => ({ request, response: await answerTo(Number(port), request) }))
    )
    for (const { request, response } of answers) {
      requests += 1
      if (response === 'reset') continue
      statuses.set(response.status, 1 + (statuses.get(response.status) ?? 0))
      const fault = faultOf(response, request.method)
      if (fault !== undefined) throw new Error(`${fault}: ${JSON.stringify({ response, request })}`)
    }
  })
  await fc.assert(answersWell, { numRuns: runs })

  t.ok(requests >= 10 * runs, `${requests} requests`)
  t.ok((statuses.get(200) ?? 0) > runs / 5, `many succeeded: ${JSON.stringify([...statuses])}`)
  t.equal((await server.inject('/health')).body, 'ok')
  t.equal((await submit(server, await transferBody(server))).statusCode, 200, 'transfers are still accepted')
})
