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

/** The flags that have a meaning: sampled, and random trace id. Others are not passed on, and the propagator cannot write them. */
const KNOWN_FLAGS = 0x03

const propagator = new W3CTraceContextPropagator()

/** The tracer of the provider that the program or `export.ts` has registered; without one nothing is recorded. */
const tracer = () => trace.getTracer('transaction-back-end', version)

/** A request of a client, as far as its trace is concerned. */
interface Request {
  readonly id: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** The span of a request, and the trace with that span. */
interface RequestSpan {
  readonly span: Span
  readonly context: Context
}

const known = new WeakMap<object, RequestSpan>()

/**
 * The span of a request, which begins when it is first asked for: in the trace of the program around this service, of the
 * client, or in a new one (interface 14.16).
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

/** The propagator leaves out what is invalid or too much in a state. Such a state is not passed on at all. */
const withoutSpace = (state: unknown) =>
  String(state)
    .split(',')
    .map(entry => entry.trim())
    .join(',')

/** Without a provider a new span is its parent again, and the lines of two requests of a trace could not be told apart. */
function withOwnId(span: Span, parent: Context): Span {
  const own = span.spanContext()
  if (!isSpanContextValid(own) || own.spanId !== trace.getSpanContext(parent)?.spanId) return span
  return trace.wrapSpanContext({ ...own, spanId: randomBytes(8).toString('hex') })
}

const contexts = new AsyncLocalStorage<Context>()

/** The trace for which code runs at present. Kept here too, because a program may have no context manager. */
export const currentContext = (): Context => contexts.getStore() ?? ROOT_CONTEXT

/** Without a provider a span may belong to no trace, and is not kept: Node follows every promise once anything is. */
const withSpan = (parent: Context, span: Span): Context =>
  isSpanContextValid(span.spanContext()) ? trace.setSpan(parent, span) : parent

/** Runs a function, and what it starts, as part of a trace. */
export const inContext = <T>(own: Context, run: () => T): T =>
  own === currentContext() && own === context.active()
    ? run()
    : contexts.run(own, () => context.with(own, run))

/** Runs a function, and what it starts, as part of no trace: work that several requests share. */
export const outsideTraces = <T>(run: () => T): T => inContext(ROOT_CONTEXT, run)

/** The headers of a call to an upstream. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagator.inject(currentContext(), headers, defaultTextMapSetter)
  return headers
}

/** The fields of a log line, with the names of OpenTelemetry. */
export function traceFields(of: Context): { trace_id: string; span_id: string } | undefined {
  const span = trace.getSpanContext(of)
  return span && isSpanContextValid(span) ? { trace_id: span.traceId, span_id: span.spanId } : undefined
}

/** The trace with a span in it, of which it keeps the ids alone: it may outlive the request by far. */
export const spanIn = (parent: Context, span: Span): Context =>
  trace.setSpanContext(parent, span.spanContext())

/** Begins a span. Its attributes are ids, names and numbers: no secret, no signature and nothing of a body (interface 14.20). */
export function startSpan(name: string, parent: Context, options?: SpanOptions): Span {
  try {
    return tracer().startSpan(name, options, parent)
  } catch {
    return trace.wrapSpanContext(trace.getSpanContext(parent) ?? INVALID_SPAN_CONTEXT)
  }
}

/** Ends a span. Neither this nor its start fails where a processor of the program's does: money moves between them. */
export function endSpan(span: Span): void {
  try {
    span.end()
  } catch {
    // It is the processor's to report.
  }
}

/** Runs work as a span of the present trace. Of an error it has the name alone: messages may have an upstream's words. */
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
