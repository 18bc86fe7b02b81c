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

/**
 * The defined flags: sampled, and random trace id. Other flags are dropped, because the propagator cannot write them.
 */
const KNOWN_FLAGS = 0x03

const propagator = new W3CTraceContextPropagator()

/**
 * Returns the tracer of the provider that the program or `export.ts` registered. Without a provider, nothing is
 * recorded.
 */
const tracer = () => trace.getTracer('transaction-back-end', version)

/** The properties of a request that its trace needs. */
interface Request {
  readonly id: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** A request's span, and the context that contains the span. */
interface RequestSpan {
  readonly span: Span
  readonly context: Context
}

const known = new WeakMap<object, RequestSpan>()

/**
 * Returns the span of a request, and starts it on the first call. The parent is the span of the surrounding program or
 * of the client. Without a parent, the span starts a new trace (interface 14.16).
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

/**
 * Removes the spaces around the entries of a trace state, to compare the trace state with the propagator's. The
 * propagator drops invalid or excess entries, and an incomplete trace state is not forwarded.
 */
const withoutSpace = (state: unknown) =>
  String(state)
    .split(',')
    .map(entry => entry.trim())
    .join(',')

/**
 * Gives a span its own id. Without a provider, a new span has the same id as its parent, so the log could not
 * distinguish two requests in one trace.
 */
function withOwnId(span: Span, parent: Context): Span {
  const own = span.spanContext()
  if (!isSpanContextValid(own) || own.spanId !== trace.getSpanContext(parent)?.spanId) return span
  return trace.wrapSpanContext({ ...own, spanId: randomBytes(8).toString('hex') })
}

const contexts = new AsyncLocalStorage<Context>()

/** Returns the current trace context. This module stores it too, because a program might have no context manager. */
export const currentContext = (): Context => contexts.getStore() ?? ROOT_CONTEXT

/**
 * Adds a span to a context. Without a provider, a span might not belong to any trace. Such a span is not added, because
 * Node tracks every promise once a context is stored.
 */
const withSpan = (parent: Context, span: Span): Context =>
  isSpanContextValid(span.spanContext()) ? trace.setSpan(parent, span) : parent

/** Runs a function, and everything it starts, in a trace context. */
export const inContext = <T>(own: Context, run: () => T): T =>
  own === currentContext() && own === context.active()
    ? run()
    : contexts.run(own, () => context.with(own, run))

/** Runs a function, and everything it starts, outside any trace: for work that several requests share. */
export const outsideTraces = <T>(run: () => T): T => inContext(ROOT_CONTEXT, run)

/** Returns the trace headers for a call to an upstream. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagator.inject(currentContext(), headers, defaultTextMapSetter)
  return headers
}

/** Returns the trace fields of a log line, named as in OpenTelemetry. */
export function traceFields(of: Context): { trace_id: string; span_id: string } | undefined {
  const span = trace.getSpanContext(of)
  return span && isSpanContextValid(span) ? { trace_id: span.traceId, span_id: span.spanId } : undefined
}

/**
 * Returns a context that contains only the ids of a span, because the context can live much longer than the request.
 */
export const spanIn = (parent: Context, span: Span): Context =>
  trace.setSpanContext(parent, span.spanContext())

/**
 * Starts a span. Attributes may be ids, names and numbers, but not secrets, signatures or body content (interface
 * 14.20).
 */
export function startSpan(name: string, parent: Context, options?: SpanOptions): Span {
  try {
    return tracer().startSpan(name, options, parent)
  } catch {
    return trace.wrapSpanContext(trace.getSpanContext(parent) ?? INVALID_SPAN_CONTEXT)
  }
}

/**
 * Ends a span. A failing processor in the program must not break `startSpan` or `endSpan`, because money moves between
 * the two calls.
 */
export function endSpan(span: Span): void {
  try {
    span.end()
  } catch {
    // The processor reports its own failures.
  }
}

/**
 * Runs work in a span of the current trace. Records only the name of an error, because the error's message might quote
 * an upstream.
 */
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
