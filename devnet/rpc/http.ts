import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerRequest, dispatch, type MethodTable } from './dispatch.ts'
import { endpointsPage } from './endpoints-page.ts'
import { errorResponse, invalidRequest, MAX_REQUEST_BYTES, parseJson, type RpcResponse } from './json-rpc.ts'
import { uriParams } from './params/uri-params.ts'

/** The id of answers to requests without one, which have the method in the path. */
const URI_ID = -1

/**
 * Answers one HTTP request: JSON-RPC at `/` (without a body: the list of methods), and `/method?name=value`.
 * As on a node, a JSON-RPC error has status 200, but 500 at `/method`, and a body that is too large is a 400.
 */
export async function handleHttp(
  methods: MethodTable,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://devnet')
  if (pathname !== '/') return answerUri(methods, pathname.slice(1), searchParams, response)
  let body: string
  try {
    body = await readBody(request)
  } catch (error) {
    return sendJson(response, 400, errorResponse(null, error))
  }
  if (body === '') return send(response, 200, 'text/html', endpointsPage(request.headers.host ?? '', methods))
  sendJson(response, 200, await answerBody(methods, body))
}

async function answerUri(
  methods: MethodTable,
  method: string,
  query: URLSearchParams,
  response: ServerResponse
): Promise<void> {
  if (!methods.has(method)) return send(response, 404, 'text/plain', '404 page not found\n')
  const answer = await dispatch(methods, { id: URI_ID, method, params: () => uriParams(query) })
  sendJson(response, 'error' in answer ? 500 : 200, answer)
}

/**
 * The answer to a body with one request or an array of them, executed in order. A single answer is not wrapped in an
 * array, even in a batch; notifications have no answer.
 */
async function answerBody(
  methods: MethodTable,
  body: string
): Promise<RpcResponse | RpcResponse[] | undefined> {
  const responses: RpcResponse[] = []
  try {
    const parsed = parseJson(body)
    for (const value of Array.isArray(parsed) ? parsed : [parsed]) {
      const answer = await answerRequest(methods, value)
      if (answer !== undefined) responses.push(answer)
    }
  } catch (error) {
    return errorResponse(null, error)
  }
  return responses.length > 1 ? responses : responses[0]
}

/** Undefined becomes an empty body, the answer to notifications alone. */
function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json', value === undefined ? '' : JSON.stringify(value))
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}

/**
 * The request's body as text. A body that is too large is read to its end, so that the client receives the answer.
 * @throws RpcError (-32600) above 1,000,000 bytes
 */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue
    size += chunk.length
    if (size <= MAX_REQUEST_BYTES) chunks.push(chunk)
    else chunks.length = 0
  }
  if (size > MAX_REQUEST_BYTES)
    throw invalidRequest('error reading request body: http: request body too large')
  return Buffer.concat(chunks).toString()
}
