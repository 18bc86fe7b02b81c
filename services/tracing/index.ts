import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import {
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { version } from '../version.ts'

/** The defined flags: sampled, and random trace id. The propagator cannot write others. */
const KNOWN_FLAGS = 0x03

const propagator = new W3CTraceContextPropagator()

/** The tracer of the provider that `export.ts` or the host program registered; without one, nothing is recorded. */
const tracer = () => trace.getTracer('transaction-back-end', version)

interface Request {
  readonly id: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

interface RequestSpan {
  readonly span: Span
  readonly context: Context
}

const known = new WeakMap<object, RequestSpan>()

/**
 * Returns the span of a request, started on the first call. Its parent is the span of the host program or of the
 * client, if any (interface 14.16).
 */
export function spanOf(request: Request): RequestSpan {
  const found = known.get(request) ?? begin(request)
  known.set(request, found)
  return found
}

function begin({ id, method, headers }: Request): RequestSpan {
  const around = context.active()
  const parent = trace.getSpan(around) ? around : sentWith(headers)
  const attributes = { 'http.request.method': method, 'request.id': id }
  const span = startSpan(method, parent, { kind: SpanKind.SERVER, attributes })
  return { span, context: withSpan(parent, withOwnId(span, parent)) }
}

function sentWith(headers: IncomingHttpHeaders): Context {
  if (headers['traceparent'] === undefined) return ROOT_CONTEXT
  const sent = trace.getSpanContext(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter))
  if (sent === undefined) return ROOT_CONTEXT
  const { traceState, ...ids } = { ...sent, traceFlags: sent.traceFlags & KNOWN_FLAGS }
  const isWhole = traceState?.serialize() === withoutSpace(headers['tracestate'])
  return trace.setSpanContext(ROOT_CONTEXT, { ...ids, ...(isWhole && traceState && { traceState }) })
}

/** Removes spaces like the propagator. If it dropped an entry, the incomplete trace state is not forwarded. */
const withoutSpace = (state: unknown) =>
  String(state)
    .split(',')
    .map(entry => entry.trim())
    .join(',')

/** Without a provider, a new span has its parent's id, and the log could not distinguish two requests in one trace. */
function withOwnId(span: Span, parent: Context): Span {
  const own = span.spanContext()
  if (!isSpanContextValid(own) || own.spanId !== trace.getSpanContext(parent)?.spanId) return span
  return trace.wrapSpanContext({ ...own, spanId: randomBytes(8).toString('hex') })
}

const contexts = new AsyncLocalStorage<Context>()

/** The current trace context, stored here because a program might have no context manager. */
export const currentContext = (): Context => contexts.getStore() ?? ROOT_CONTEXT

/** Adds a span that is part of a trace to a context. Any other span would only make Node track every promise. */
const withSpan = (parent: Context, span: Span): Context =>
  isSpanContextValid(span.spanContext()) ? trace.setSpan(parent, span) : parent

/** Runs a function, and everything it starts, in a trace context. */
export const inContext = <T>(own: Context, run: () => T): T =>
  own === currentContext() && own === context.active()
    ? run()
    : contexts.run(own, () => context.with(own, run))

/** Runs a function, and everything it starts, outside any trace: for work that several requests share. */
export const outsideTraces = <T>(run: () => T): T => inContext(ROOT_CONTEXT, run)

export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagator.inject(currentContext(), headers, defaultTextMapSetter)
  return headers
}

export function traceFields(of: Context): { trace_id: string; span_id: string } | undefined {
  const span = trace.getSpanContext(of)
  return span && isSpanContextValid(span) ? { trace_id: span.traceId, span_id: span.spanId } : undefined
}

/** A context with only the ids of a span, because the context can live much longer than the request. */
export const spanIn = (parent: Context, span: Span): Context =>
  trace.setSpanContext(parent, span.spanContext())

/**
 * Starts a span. Attributes may be ids, names and numbers, but not secrets, signatures or body content (interface
 * 14.20). A failing processor in the host program must not break `startSpan` or `endSpan`, because money moves between
 * the two calls.
 */
export function startSpan(name: string, parent: Context, options?: SpanOptions): Span {
  try {
    return tracer().startSpan(name, options, parent)
  } catch {
    return trace.wrapSpanContext(trace.getSpanContext(parent) ?? INVALID_SPAN_CONTEXT)
  }
}

export function endSpan(span: Span): void {
  try {
    span.end()
  } catch {
    // The processor reports its own failures.
  }
}

/** Runs work in a span of the current trace. Records only an error's name: its message might quote an upstream. */
export async function inSpan<T>(name: string, run: (span: Span) => Promise<T>): Promise<T> {
  const parent = currentContext()
  const span = startSpan(name, parent)
  try {
    return await inContext(withSpan(parent, span), () => run(span))
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
    throw error
  } finally {
    endSpan(span)
  }
}
