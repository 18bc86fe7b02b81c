import type { Static, TSchema } from '@sinclair/typebox'
import { Pool } from 'undici'
import { createLimiter } from '../async/limiter.ts'
import { systemClock } from '../clock.ts'
import { cleaned, messageOf } from '../errors/shown.ts'
import { isDeeper, parseJson, repeatsName } from '../json.ts'
import type { SchemaCheck } from '../schema-check.ts'
import {
  isTimeout,
  UpstreamBusyError,
  UpstreamError,
  UpstreamRefusalError,
  type UpstreamResult,
  UpstreamTimeoutError
} from './errors.ts'
import { createUnlessLate } from './unless-late.ts'
import { parseUpstreamUrl } from './url.ts'

/** The maximum number of connections. Each handles one call at a time. */
const CONNECTIONS = 64

/** Maximum number of waiting calls: all finish within the default timeout if each takes a third of a second. */
const WAITING_CALLS = 960

const MAX_BODY_BYTES = 1024 * 1024

/** Maximum length of a description that quotes a response. */
const MAX_PROBLEM = 2048

/** Maximum depth of a response: JSON.parse accepts deeper values than JSON.stringify can write. */
const MAX_DEPTH = 64

export interface UpstreamObserver {
  called(upstream: string, result: UpstreamResult, seconds: number): void
  paused(upstream: string, failure: UpstreamTimeoutError): void
  resumed(upstream: string): void
}

export interface UpstreamOptions {
  name: string
  /** Can have a path, which is prepended to all request paths. */
  baseUrl: string
  headers?: Record<string, string>
  /** Maximum duration of a request, from connecting to the last byte of the response. */
  timeoutMs?: number
  /** Whether the upstream may return a bare string that is not JSON. */
  sendsText?: boolean
  observe?: UpstreamObserver | undefined
}

/** Connects to an HTTP service that returns JSON (interface 19.1). */
export function createUpstream(options: UpstreamOptions) {
  const { name, baseUrl, headers, timeoutMs = 5_000, sendsText, observe } = options
  const base = parseUpstreamUrl(baseUrl)
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    maxResponseSize: MAX_BODY_BYTES,
    connect: { timeout: timeoutMs }
  })
  const inTurn = createLimiter(CONNECTIONS, {
    waiting: WAITING_CALLS,
    refusal: () => new UpstreamBusyError(name)
  })
  const unlessLate = createUnlessLate(name, {
    paused: failure => observe?.paused(name, failure),
    resumed: () => observe?.resumed(name)
  })

  const late = (cause?: unknown) =>
    new UpstreamTimeoutError(name, `no response within ${timeoutMs} ms`, cause)

  async function request(method: 'GET' | 'POST', path: string, body: unknown, signal: AbortSignal) {
    try {
      const answer = await pool.request({
        method,
        path: base.target(path),
        headers: {
          accept: 'application/json',
          ...(body !== undefined && JSON_CONTENT),
          ...base.headers,
          ...headers
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal
      })
      return { status: answer.statusCode, text: await answer.body.text() }
    } catch (error) {
      if (error instanceof UpstreamError) throw error
      if (isTimeout(error)) throw late(error)
      throw new UpstreamError(name, cleaned(messageOf(error), MAX_PROBLEM), error)
    }
  }

  function parsed<T extends TSchema>(status: number, text: string, shape: SchemaCheck<T>): Static<T> {
    const value = parseJson(text) ?? (sendsText ? text : undefined)
    if (status < 200 || status > 299) throw new UpstreamRefusalError(name, status, value)
    if (value === undefined) throw new UpstreamError(name, 'the response is not JSON')
    if (isDeeper(value, MAX_DEPTH)) throw new UpstreamError(name, 'the response is nested too deeply')
    if (repeatsName(text)) throw new UpstreamError(name, 'the response has a property name twice')
    if (shape.Check(value)) return value
    const fault = shape.Errors(value).First()
    // Property names can contain secrets. JSON pointers escape their slashes as ~1.
    const place = cleaned(fault?.path.replaceAll('~1', '/') ?? '', MAX_PROBLEM)
    throw new UpstreamError(name, `unexpected response at "${place}": ${fault?.message}`)
  }

  async function call<T extends TSchema>(
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
    shape: SchemaCheck<T>
  ): Promise<Static<T>> {
    const startedAt = performance.now()
    let result: UpstreamResult = 'failed'
    const timeout = new AbortController()
    const cancel = systemClock.after(timeoutMs, () => timeout.abort(late()))
    const exchange = () => unlessLate(() => request(method, path, body, timeout.signal))
    try {
      const { status, text } = await inTurn(exchange, timeout.signal)
      const value = parsed(status, text, shape)
      result = 'answered'
      return value
    } catch (error) {
      if (error instanceof UpstreamError) result = error.result
      throw error
    } finally {
      cancel()
      observe?.called(name, result, (performance.now() - startedAt) / 1000)
    }
  }

  return {
    name,
    /**
     * Makes a GET request.
     * @param path path below the base URL, or only a query
     * @throws UpstreamRefusalError for a status outside 2xx
     * @throws UpstreamTimeoutError if the whole response has not arrived in time
     * @throws UpstreamBusyError, UpstreamPausedError without a request
     * @throws UpstreamError for any other failure, and for a response of another shape
     */
    get: <T extends TSchema>(path: string, shape: SchemaCheck<T>) => call('GET', path, undefined, shape),
    /** Like `get`, with a JSON body. Never retried. */
    post: <T extends TSchema>(path: string, body: unknown, shape: SchemaCheck<T>) =>
      call('POST', path, body, shape),
    /** Creates an error about a response. The description may quote the response. */
    fault: (problem: string) => new UpstreamError(name, cleaned(problem, MAX_PROBLEM)),
    close: () => pool.destroy()
  }
}

const JSON_CONTENT = { 'content-type': 'application/json' }
