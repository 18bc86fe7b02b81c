import { setTimeout as delay } from 'node:timers/promises'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import {
  type Attributes,
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { onceAMinute } from '../services/async/once-a-minute.ts'
import { cleaned } from '../services/errors/shown.ts'
import type { Logger } from '../services/logger.ts'
import { addSecrets } from '../services/secrets.ts'
import { version } from '../services/version.ts'

/** How long a shutdown waits for the collector, in milliseconds. Spans that are not exported by then are lost. */
const STOP_MS = 2000

const MAX_PROBLEM = 200

/** Variables that can contain the collector's key. Only the SDK may read them. */
const SECRETS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']

/** The instrumentations add others, such as URLs, which can contain upstreams' keys and users' addresses. */
const EXPORTED =
  /^((http\.(request\.method|route|response\.status_code))|server\.(address|port)|error\.type|(request|submission|fee|slot|tx|block)\.\w+)$/

/** Exports spans without the attributes, events and messages that could contain a secret (interface 14.23). */
class ScrubbingProcessor extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    // Skip this span: its name contains a path of this machine, and the request's own span shows that the route is
    // unknown.
    if (span.name.startsWith('notFoundHandler')) return
    const attributes: Attributes = Object.fromEntries(
      Object.entries(span.attributes).filter(([name]) => EXPORTED.test(name))
    )
    // A refused request is not an error of the server.
    const isRefusal = span.kind === SpanKind.SERVER && Number(attributes['http.response.status_code']) < 500
    const status = { code: isRefusal ? SpanStatusCode.UNSET : span.status.code }
    super.onEnd(
      Object.create(span, {
        attributes: { value: attributes },
        events: { value: [] },
        status: { value: status }
      })
    )
  }
}

const nothing = () => {}

/**
 * Records requests, calls to HTTP upstreams, submissions and transactions, and exports them to a collector. The SDK
 * reads its settings from the environment. Nothing waits for the collector: the SDK drops spans while its queue is full.
 * @returns the plugin to register before all others, and a function that flushes the queue and stops the export
 */
export function startTracing(log: Logger) {
  const note = onceAMinute<string>((failures, text) => {
    const problem = cleaned(text, MAX_PROBLEM)
    context.with(ROOT_CONTEXT, () => log.warn({ failures, problem }, 'spans could not be exported'))
  })
  diag.setLogger(
    { error: note, warn: note, info: nothing, debug: nothing, verbose: nothing },
    DiagLogLevel.WARN
  )
  setGlobalErrorHandler(error => note(textOf(error)))

  const named = resourceFromAttributes({ 'service.name': 'transaction-back-end', 'service.version': version })
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new ScrubbingProcessor(new OTLPTraceExporter())]
  })
  for (const name of SECRETS) {
    addSecrets((process.env[name] ?? '').split(',').map(pair => pair.slice(pair.indexOf('=') + 1).trim()))
    delete process.env[name]
  }
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())

  // Calls that serve many requests, such as those to RPC nodes, have no parent.
  const upstreams = new UndiciInstrumentation({ requireParentforSpans: true })
  const requests = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    instrumentHandler: false,
    requestHook(span, { id, method, routeOptions: { url } }) {
      span.updateName(url === undefined ? method : `${method} ${url}`).setAttribute('request.id', id)
    }
  })

  async function stop(): Promise<void> {
    upstreams.disable()
    const stopped = provider.shutdown().catch(error => note(textOf(error)))
    await Promise.race([stopped, delay(STOP_MS, undefined, { ref: false })])
  }

  return { plugin: requests.plugin(), stop }
}

/**
 * Describes an error by its code and message. If all of a host's addresses refuse the connection, there is no message.
 */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error ? `${error.code} ` : ''
  return `${code}${error.message || error.name}`
}
