import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  type Span,
  type SpanOptions,
  trace
} from '@opentelemetry/api'
import { version } from '../version.ts'

/** Returns the ids of a span, or of the active span, for the log (interface 14.16). */
export function traceFields(span = trace.getActiveSpan()): { trace_id: string; span_id: string } | undefined {
  const ids = span?.spanContext()
  return ids && isSpanContextValid(ids) ? { trace_id: ids.traceId, span_id: ids.spanId } : undefined
}

/**
 * Starts a span with the provider that `plugins/tracing.ts` or the host program registered; without one, nothing is
 * recorded. Attributes may be ids, names and numbers, but not secrets, signatures or body content (interface 14.23). A
 * failing processor in the host program must not break `startSpan` or `endSpan`, because money moves between the two
 * calls.
 */
export function startSpan(name: string, options: SpanOptions, parent: Context = context.active()): Span {
  try {
    return trace.getTracer('transaction-back-end', version).startSpan(name, options, parent)
  } catch {
    return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
  }
}

export function endSpan(span: Span | undefined, attributes: Attributes = {}): void {
  try {
    span?.setAttributes(attributes).end()
  } catch {
    // The processor reports its own failures.
  }
}
