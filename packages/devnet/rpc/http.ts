import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  dispatch,
  errorResponse,
  invalidRequest,
  MAX_REQUEST_BYTES,
  type MethodTable,
  parseJson,
  parseRequest,
  type RpcRequest,
  type RpcResponse
} from './json-rpc.ts'

/**
 * Handles an HTTP request: JSON-RPC at `/`. As on a real node, the status is 200 for JSON-RPC errors, 500 for a body
 * that is not a request, and 400 for a body that is too large.
 */
export async function handleHttp(
  methods: MethodTable,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const body = await readBody(request)
  if (body === undefined) {
    return sendJson(response, 400, errorResponse(undefined, invalidRequest('http: request body too large')))
  }
  if (request.url === '/' && request.method === 'POST') return answerBody(methods, body, response)
  response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n')
}

/**
 * Handles a request or a batch, in order. A single response is not wrapped in an array, even for a batch. Notifications
 * get no response.
 */
async function answerBody(methods: MethodTable, body: string, response: ServerResponse): Promise<void> {
  let requests: (RpcRequest | undefined)[]
  try {
    requests = [parseJson(body)].flat().map(parseRequest)
  } catch (error) {
    return sendJson(response, 500, errorResponse(undefined, error))
  }
  const responses: RpcResponse[] = []
  for (const request of requests) {
    if (request !== undefined) responses.push(await dispatch(methods, request))
  }
  if (responses.length === 0) response.writeHead(200, { 'content-length': 0 }).end()
  else sendJson(response, 200, responses.length > 1 ? responses : responses[0])
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length }).end(body)
}

/** Reads the body to the end, so that the client receives the response. @returns undefined if the body is too large */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_REQUEST_BYTES) chunks.push(chunk)
  }
  return size <= MAX_REQUEST_BYTES ? Buffer.concat(chunks).toString() : undefined
}
