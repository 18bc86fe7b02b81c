import type { IncomingMessage, ServerResponse } from 'node:http'
import { dispatch, type MethodTable, NO_ID, postedCall } from './dispatch.ts'
import { endpointsPage } from './endpoints-page.ts'
import { GoJsonError, parseGoJson } from './go-json.ts'
import {
  errorResponse,
  invalidParams,
  invalidRequest,
  MAX_REQUEST_BYTES,
  methodNotFound,
  parseError,
  parseRequest,
  parseRequests,
  type RpcResponse
} from './json-rpc.ts'
import { RpcPanic } from './params/json-params.ts'
import { uriParams } from './params/uri-params.ts'
import { subscriptionMethods } from './subscriptions/subscriptions.ts'

const NOT_FOUND = '404 page not found\n'
const WRONG_ESCAPE = /%(?![\da-f]{2})/i
const PLAIN_TEXT = 'text/plain; charset=utf-8'

/** What depends on the release of the node. */
export interface HttpLimits {
  /** How many requests a batch may have. */
  batchSize: number
}

/**
 * Answers one HTTP request: JSON-RPC at `/` (without a body: the list of methods), and `/method?name=value`.
 * As on a node, a JSON-RPC error has status 200, but 500 at `/method` and for a body that is no request, and a body
 * that is too large is a 400.
 */
export async function handleHttp(
  methods: MethodTable,
  limits: HttpLimits,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  try {
    await answer(methods, limits, request, response)
  } catch (error) {
    // A panic in a node.
    if (!(error instanceof RpcPanic)) throw error
    sendJson(response, 500, errorResponse(NO_ID, error))
  }
}

async function answer(
  methods: MethodTable,
  limits: HttpLimits,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const [path = '/', query = ''] = splitAt(request.url ?? '/', '?')
  if (WRONG_ESCAPE.test(path)) return send(response, 400, PLAIN_TEXT, '400 Bad Request')
  const clean = path.replaceAll(/\/{2,}/g, '/')
  if (clean !== path) return redirect(response, query === '' ? clean : `${clean}?${query}`)
  let body: string
  try {
    body = await readBody(request)
  } catch (error) {
    return sendJson(response, 400, errorResponse(undefined, error))
  }
  if (path !== '/') {
    const form = request.headers['content-type'] === 'application/x-www-form-urlencoded' ? body : ''
    return answerUri(methods, path.slice(1), readQuery(`${query}&${form}`), response)
  }
  if (body === '') return send(response, 200, 'text/html', endpointsPage(request.headers.host ?? '', methods))
  await answerBody(methods, limits, body, response)
}

/** Go ignores the fields of a query that have a wrong escape or a semicolon. */
function readQuery(query: string): URLSearchParams {
  const valid = query.split('&').filter(field => !WRONG_ESCAPE.test(field) && !field.includes(';'))
  return new URLSearchParams(valid.join('&'))
}

async function answerUri(
  methods: MethodTable,
  method: string,
  query: URLSearchParams,
  response: ServerResponse
): Promise<void> {
  if (method in subscriptionMethods) return sendJson(response, 404, errorResponse(NO_ID, methodNotFound()))
  if (method === 'websocket') return send(response, 400, PLAIN_TEXT, 'Bad Request\n')
  if (!methods.has(method)) return send(response, 404, PLAIN_TEXT, NOT_FOUND)
  const answered = await dispatch(methods, {
    id: NO_ID,
    method,
    params: types => uriParams(query, types),
    paramsError: problem => invalidParams(`error converting http params to arguments: ${problem}`)
  })
  sendJson(response, 'error' in answered ? 500 : 200, answered)
}

/**
 * Answers a body with one request or an array of them, executed in order. A single answer is not wrapped in an
 * array, even in a batch; notifications have no answer.
 */
async function answerBody(
  methods: MethodTable,
  { batchSize }: HttpLimits,
  body: string,
  response: ServerResponse
): Promise<void> {
  let requests: ReturnType<typeof readRequests>
  try {
    requests = readRequests(body)
  } catch (error) {
    return sendJson(response, 500, errorResponse(undefined, error))
  }
  if (requests.length > batchSize) {
    const problem = `batch request exceeds maximum (${batchSize}) allowed number of requests`
    return sendJson(response, 200, errorResponse(undefined, invalidRequest(problem)))
  }
  const responses: RpcResponse[] = []
  for (const request of requests) {
    if (request !== undefined) responses.push(await dispatch(methods, postedCall(request)))
  }
  if (responses.length === 0) response.writeHead(200, { 'content-length': 0 }).end()
  else sendJson(response, 200, responses.length > 1 ? responses : responses[0])
}

/** @throws RpcError (-32700) */
function readRequests(body: string) {
  try {
    const parsed = parseGoJson(body)
    return Array.isArray(parsed) ? parseRequests(parsed) : [parseRequest(parsed)]
  } catch (error) {
    throw error instanceof GoJsonError ? parseError(error.message) : error
  }
}

function redirect(response: ServerResponse, location: string): void {
  response.setHeader('location', location)
  const link = `<a href="${location.replaceAll('&', '&amp;')}">Temporary Redirect</a>.\n\n`
  send(response, 307, 'text/html; charset=utf-8', link)
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json', JSON.stringify(value))
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}

/** The text before the first separator, and the text after it. */
function splitAt(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
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
