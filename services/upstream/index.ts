import type { Static, TSchema } from '@sinclair/typebox'
import { Pool } from 'undici'
import { createLimiter } from '../async/limiter.ts'
import { systemClock } from '../clock.ts'
import { findLoneSurrogate, isDeeper, parseJson } from '../json.ts'
import type { SchemaCheck } from '../schema-check.ts'
import { traceHeaders } from '../tracing/index.ts'
import {
  isTimeout,
  refusalOf,
  UpstreamBusyError,
  UpstreamError,
  type UpstreamResult,
  UpstreamTimeoutError
} from './errors.ts'
import { createUnlessLate } from './unless-late.ts'
import { parseUpstreamUrl } from './url.ts'

/** The most connections to an upstream; each has one call at a time (interface 19.15). */
const CONNECTIONS = 64

/** What so many connections can answer in the time of a call, when an answer takes a third of a second. */
const WAITING_CALLS = 960

/** Far more than any upstream needs. JSON.parse accepts deeper text than JSON.stringify can write. */
const MAX_DEPTH = 64

/** Is told what happens to upstreams, by their names. */
export interface UpstreamObserver {
  /** Is told of every call. */
  called(upstream: string, result: UpstreamResult, seconds: number): void
  /** Is told when calls are paused, with the last failure. */
  paused(upstream: string, failure: UpstreamTimeoutError): void
  /** Is told when they go on. */
  resumed(upstream: string): void
}

export interface UpstreamOptions {
  name: string
  /** May have a path. All paths lie under it. */
  baseUrl: string
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Total time of a request, from connecting to the last byte of the answer. */
  timeoutMs?: number
  maxBodyBytes?: number
  observe?: UpstreamObserver | undefined
}

/** An HTTP service that answers JSON, over persistent connections (interface 19.1). */
export function createUpstream(options: UpstreamOptions) {
  const { name, baseUrl, headers, timeoutMs = 5_000, maxBodyBytes = 1024 * 1024, observe } = options
  const base = parseUpstreamUrl(baseUrl)
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    maxResponseSize: maxBodyBytes,
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

  const late = (cause?: unknown) => new UpstreamTimeoutError(name, `no answer within ${timeoutMs} ms`, cause)

  async function request(method: 'GET' | 'POST', path: string, body: unknown, signal: AbortSignal) {
    try {
      const answer = await pool.request({
        method,
        path: base.target(path),
        headers: {
          accept: 'application/json',
          ...(body !== undefined && JSON_CONTENT),
          ...base.headers,
          ...headers,
          ...traceHeaders()
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal
      })
      return { status: answer.statusCode, text: await answer.body.text() }
    } catch (error) {
      if (error instanceof UpstreamError) throw error
      if (isTimeout(error)) throw late(error)
      throw new UpstreamError(name, base.scrub(error instanceof Error ? error.message : String(error)), error)
    }
  }

  async function exchange(method: 'GET' | 'POST', path: string, body: unknown) {
    const timeout = new AbortController()
    const cancel = systemClock.after(timeoutMs, () => timeout.abort(late()))
    const call = () => unlessLate(() => request(method, path, body, timeout.signal))
    try {
      return await inTurn(call, timeout.signal)
    } finally {
      cancel()
    }
  }

  async function ask<T extends TSchema>(
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
    shape: SchemaCheck<T>
  ): Promise<Static<T>> {
    const { status, text } = await exchange(method, path, body)
    if (status < 200 || status > 299) throw refusalOf(name, status, parseJson(text), base.scrub)
    const value = parseJson(text)
    if (value === undefined) throw new UpstreamError(name, 'the answer is not JSON')
    if (isDeeper(value, MAX_DEPTH)) throw new UpstreamError(name, 'the answer is nested too deeply')
    if (ESCAPED_SURROGATE.test(text) && findLoneSurrogate(value) !== undefined)
      throw new UpstreamError(name, 'the answer holds half of a surrogate pair')
    if (shape.Check(value)) return value
    const fault = shape.Errors(value).First()
    // The names of properties are the upstream's own words. A JSON pointer writes their slashes as ~1.
    const place = base.scrub(fault?.path.replaceAll('~1', '/') ?? '')
    throw new UpstreamError(name, `unexpected answer at "${place}": ${fault?.message}`)
  }

  const observed: typeof ask = async (...request) => {
    const startedAt = performance.now()
    let result: UpstreamResult = 'failed'
    try {
      const answer = await ask(...request)
      result = 'answered'
      return answer
    } catch (error) {
      if (error instanceof UpstreamError) result = error.result
      throw error
    } finally {
      observe?.called(name, result, (performance.now() - startedAt) / 1000)
    }
  }

  return {
    /** In the log. */
    name,
    /**
     * @param path under the base URL, or a query alone
     * @param shape the expected shape of the answer
     * @throws UpstreamRefusalError for a status outside 2xx
     * @throws UpstreamTimeoutError when the whole answer has not arrived in time
     * @throws UpstreamBusyError at once, when too many calls wait (interface 19.15)
     * @throws UpstreamPausedError at once, when the last calls were late (interface 19.16)
     * @throws UpstreamError for any other failure, and for an answer of another shape
     */
    get: <T extends TSchema>(path: string, shape: SchemaCheck<T>) => observed('GET', path, undefined, shape),
    /** Like `get`, with a JSON body. Never retried. */
    post: <T extends TSchema>(path: string, body: unknown, shape: SchemaCheck<T>) =>
      observed('POST', path, body, shape),
    /** An error about an answer of this upstream; the words may be its own. */
    fault: (problem: string) => new UpstreamError(name, base.scrub(problem)),
    close: () => pool.destroy()
  }
}

const JSON_CONTENT = { 'content-type': 'application/json' }

/** The only way to write a lone surrogate in text that was read as UTF-8. */
const ESCAPED_SURROGATE = /\\ud[89a-f]/i
