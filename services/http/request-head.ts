import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../errors/index.ts'

/** As in RFC 9112 §3.2, without what no name of a server has. */
const hostShape = /^(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i
const otherCharset = /;\s*charset=(?!"?utf-?8"?\s*(?:;|$))/i

/** Methods whose bodies are never read. */
const withoutBody = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Far more than any client sends, and less than the number from which on Node drops headers (interface 21.4). */
const MOST_HEADERS = 100

/** @returns why a request is refused before its body is read (interface 3.12, 3.14, 3.15, 3.18, 21.4); undefined when it is not */
export function headRefusal(request: IncomingMessage): ServiceError | undefined {
  const { headers, rawHeaders, httpVersion, url = '' } = request
  const { host, expect } = headers
  // Names and values.
  if (rawHeaders.length > 2 * MOST_HEADERS) {
    return new ServiceError('HEADERS_TOO_LARGE', `A request has at most ${MOST_HEADERS} headers`)
  }
  if (host === undefined ? httpVersion !== '1.0' : !hostShape.test(host)) {
    return new ServiceError('BAD_REQUEST', 'The request needs one well-formed Host header')
  }
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    return new ServiceError('BAD_REQUEST', 'HTTP/1.0 has no transfer-encoding')
  }
  if (url.includes('%') && !isDecodable(url)) {
    return new ServiceError('BAD_REQUEST', 'The URL has a malformed percent escape')
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new ServiceError('EXPECTATION_FAILED', 'The only expectation that can be met is 100-continue')
  }
  return isBodyRead(request) ? bodyRefusal(request) : undefined
}

function bodyRefusal({ headers }: IncomingMessage): ServiceError | undefined {
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') {
    return new ServiceError('BAD_REQUEST', 'The only transfer-encoding of a body is chunked')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must not have a content-encoding')
  }
  const type = headers['content-type']
  if (type !== undefined && otherCharset.test(type)) {
    return new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The charset of the body must be utf-8')
  }
  return undefined
}

/** Whether a body follows the headers that nobody reads (interface 3.17, RFC 9112 §6.3). */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'transfer-encoding': transfer, 'content-length': length } = request.headers
  return (transfer !== undefined || (length !== undefined && Number(length) > 0)) && !isBodyRead(request)
}

function isBodyRead({ method = '' }: IncomingMessage): boolean {
  return !withoutBody.has(method)
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
