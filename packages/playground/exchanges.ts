import { signal } from '@preact/signals'

/** A request sent by the page, and the part of the response received so far. */
export interface Exchange {
  readonly method: string
  /** The path with the query, without the service's path prefix. */
  readonly path: string
  readonly status?: number
  readonly statusText?: string
  /** Time from request to response headers, in milliseconds. */
  readonly ms?: number
  readonly type?: string
  readonly body: string
}

/** Maximum number of exchanges to keep. A single transfer needs fewer. */
const MAX_COUNT = 50

const exchanges = signal<readonly Exchange[]>([])

/** Whether to drop the response to the next submission, as if the connection had broken. */
export const losesResponse = signal(false)

/** Returns the newest exchange whose `METHOD path` matches. */
export const exchangeOf = (pattern: RegExp): Exchange | undefined =>
  exchanges.value.findLast(({ method, path }) => pattern.test(`${method} ${path}`))

/** `fetch` for the client. Records each exchange for display. */
export async function recordingFetch(request: Request, baseUrl: string): Promise<Response> {
  let exchange: Exchange = { method: request.method, path: request.url.slice(baseUrl.length), body: '' }
  exchanges.value = [...exchanges.peek(), exchange].slice(-MAX_COUNT)
  const update = (change: Partial<Exchange>) => {
    const next = { ...exchange, ...change }
    exchanges.value = exchanges.peek().map(each => (each === exchange ? next : each))
    exchange = next
  }

  const sentAt = performance.now()
  const response = await fetch(request)
  if (losesResponse.peek() && /^POST \/submit\//.test(`${exchange.method} ${exchange.path}`)) {
    losesResponse.value = false
    throw new TypeError('The page dropped the response')
  }
  const { status, statusText, headers } = response
  const type = headers.get('content-type') ?? ''
  update({ status, statusText, type, ms: Math.round(performance.now() - sentAt) })
  // Ignore errors, including aborts: the caller handles them.
  void readBody(response.clone(), body => update({ body })).catch(() => {})
  return response
}

/** Reads the body and calls `show` whenever a part arrives, such as an event of a stream. */
async function readBody({ body }: Response, show: (body: string) => void): Promise<void> {
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    show(text)
  }
}
