import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The trace of a client's request (interface 14.16), with the span that this service is in it. */
export interface Trace {
  /** 32 hex digits, the client's. */
  readonly traceId: string
  /** 16 hex digits, of this request here. The parent of its calls to upstreams. */
  readonly spanId: string
  /** Two hex digits. */
  readonly flags: string
  /** `tracestate`: what tracing systems add, as the client sent it. Checked only when it is passed on. */
  readonly state: string | undefined
}

/** Version, trace id, parent id, flags. Later versions may add fields. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(-.*)?$/

/** An entry of `tracestate`: key and value (W3C Trace Context). At most 32, and no longer than anybody must pass on. */
const ENTRY = /^[a-z\d][a-z\d_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/
const MOST_ENTRIES = 32
const LONGEST_STATE = 512

/** The flags that have a meaning: sampled, and random trace id. Others are not passed on. */
const KNOWN_FLAGS = 0x03

const known = new WeakMap<object, Trace | undefined>()

/** The trace of a request; undefined without a valid `traceparent`. */
export function traceOf(request: { headers: IncomingHttpHeaders }): Trace | undefined {
  if (request.headers['traceparent'] === undefined) return undefined
  if (!known.has(request)) known.set(request, readTrace(request.headers))
  return known.get(request)
}

function readTrace({ traceparent, tracestate }: IncomingHttpHeaders): Trace | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId, flags = '', more] = TRACEPARENT.exec(traceparent) ?? []
  if (traceId === undefined || (version === '00' && more !== undefined)) return undefined
  return {
    traceId,
    spanId: spanId(),
    flags: (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0'),
    state: typeof tracestate === 'string' ? tracestate : undefined
  }
}

/** A valid `tracestate` without the space around its entries; undefined for all else. */
function validState(state: string): string | undefined {
  if (state.length > LONGEST_STATE) return undefined
  const entries = state.split(',').map(entry => entry.trim())
  const isValid = entries.length <= MOST_ENTRIES && entries.every(entry => ENTRY.test(entry))
  return isValid ? entries.join(',') : undefined
}

function spanId(): string {
  const id = randomBytes(8).toString('hex')
  return id === '0'.repeat(16) ? spanId() : id
}

const traces = new AsyncLocalStorage<Trace | undefined>()

/** The trace of the request for which code runs at present. Costs next to nothing before the first traced request. */
export const currentTrace = () => traces.getStore()

/** Runs a function, and what it starts, as part of a trace. */
export const inTrace = <T>(trace: Trace, run: () => T): T => traces.run(trace, run)

/** Runs a function, and what it starts, as part of no trace: work that several requests share. */
export function outsideTraces<T>(run: () => T): T {
  return currentTrace() === undefined ? run() : traces.run(undefined, run)
}

/** The headers of a call to an upstream. */
export function traceHeaders(): Record<string, string> | undefined {
  const trace = currentTrace()
  if (trace === undefined) return undefined
  const { traceId, spanId, flags, state } = trace
  const tracestate = state && validState(state)
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate && { tracestate }) }
}

/** The fields of a log line, with the names of OpenTelemetry. */
export function traceFields(trace: Trace | undefined): { trace_id: string; span_id: string } | undefined {
  return trace && { trace_id: trace.traceId, span_id: trace.spanId }
}
