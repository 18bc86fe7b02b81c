import type { Static, TSchema } from '@sinclair/typebox'
import type { TypeCheck } from '@sinclair/typebox/compiler'
import { Pool } from 'undici'
import { parseJson } from '../json.ts'
import { traceHeaders } from '../trace-context.ts'
import { refusalOf, UpstreamError, UpstreamRefusalError, UpstreamTimeoutError } from './errors.ts'
import { parseUpstreamUrl } from './url.ts'

/** An HTTP service that answers JSON, over persistent connections (interface 19.1). */
export interface Upstream {
  /** Name in the log. */
  readonly name: string
  /**
   * @param path under the base URL, or a query alone
   * @param shape the expected shape of the answer
   * @throws UpstreamRefusalError for a status outside 2xx
   * @throws UpstreamTimeoutError when the whole answer has not arrived in time
   * @throws UpstreamError for any other failure, and for an answer of another shape
   */
  get<T extends TSchema>(path: string, shape: TypeCheck<T>): Promise<Static<T>>
  /** Like `get`, with a JSON body. Never retried. */
  post<T extends TSchema>(path: string, body: unknown, shape: TypeCheck<T>): Promise<Static<T>>
  /** An error about an answer of this upstream; the words may be its own. */
  fault(problem: string): UpstreamError
  close(): Promise<void>
}

/** The result of a request; `refused` is an HTTP status outside 2xx. */
export type UpstreamResult = 'answered' | 'refused' | 'timeout' | 'failed'

/** Is told of every request, with the name of the upstream. */
export type UpstreamObserver = (upstream: string, result: UpstreamResult, seconds: number) => void

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

export function createUpstream(options: UpstreamOptions): Upstream {
  const { name, baseUrl, headers, timeoutMs = 5_000, maxBodyBytes = 1024 * 1024, observe } = options
  const base = parseUpstreamUrl(baseUrl)
  const pool = new Pool(base.origin, { maxResponseSize: maxBodyBytes })

  async function exchange(method: 'GET' | 'POST', path: string, body: unknown) {
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
        signal: AbortSignal.timeout(timeoutMs)
      })
      return { status: answer.statusCode, text: await answer.body.text() }
    } catch (error) {
      throw isTimeout(error)
        ? new UpstreamTimeoutError(name, `no answer within ${timeoutMs} ms`, error)
        : new UpstreamError(name, base.scrub(error instanceof Error ? error.message : String(error)), error)
    }
  }

  async function ask<T extends TSchema>(
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
    shape: TypeCheck<T>
  ): Promise<Static<T>> {
    const { status, text } = await exchange(method, path, body)
    if (status < 200 || status > 299) throw refusalOf(name, status, parseJson(text), base.scrub)
    const value = parseJson(text)
    if (value === undefined) throw new UpstreamError(name, 'the answer is not JSON')
    if (shape.Check(value)) return value
    const fault = shape.Errors(value).First()
    // The names of properties are the upstream's own words. A JSON pointer writes their slashes as ~1.
    const place = base.scrub(fault?.path.replaceAll('~1', '/') ?? '')
    throw new UpstreamError(name, `unexpected answer at "${place}": ${fault?.message}`)
  }

  const observed: typeof ask = async (...request) => {
    const startedAt = performance.now()
    const secondsSince = () => (performance.now() - startedAt) / 1000
    try {
      const answer = await ask(...request)
      observe?.(name, 'answered', secondsSince())
      return answer
    } catch (error) {
      observe?.(name, resultOf(error), secondsSince())
      throw error
    }
  }

  return {
    name,
    get: (path, shape) => observed('GET', path, undefined, shape),
    post: (path, body, shape) => observed('POST', path, body, shape),
    fault: problem => new UpstreamError(name, base.scrub(problem)),
    close: () => pool.destroy()
  }
}

const JSON_CONTENT = { 'content-type': 'application/json' }

function resultOf(error: unknown): UpstreamResult {
  if (error instanceof UpstreamRefusalError) return 'refused'
  return error instanceof UpstreamTimeoutError ? 'timeout' : 'failed'
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /Timeout/.test(error.name)
}
