import { setTimeout as delay } from 'node:timers/promises'
import { DiagLogLevel, diag, trace } from '@opentelemetry/api'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { onceAMinute } from '../async/once-a-minute.ts'
import type { Logger } from '../logger.ts'
import { version } from '../version.ts'
import { outsideTraces } from './index.ts'

/** How long a shutdown waits for the collector, in milliseconds. Spans that are not exported by then are lost. */
const STOP_MS = 2000

const LONGEST_PROBLEM = 200

/** Variables that can contain the collector's key. Only the SDK may read them. */
const SECRETS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']

const nothing = () => {}

/**
 * Starts the export of spans to a collector. The SDK reads its settings from the environment. Nothing waits for the
 * collector: the SDK drops spans while its queue is full.
 * @returns a function that flushes the queue and stops the export
 */
export function startExport(log: Logger): () => Promise<void> {
  const note = onceAMinute<string>((failures, text) => {
    const problem = text.slice(0, LONGEST_PROBLEM)
    outsideTraces(() => log.warn({ failures, problem }, 'spans could not be exported'))
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
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())]
  })
  for (const name of SECRETS) delete process.env[name]
  trace.setGlobalTracerProvider(provider)
  return async () => {
    const stopped = provider.shutdown().catch(error => note(textOf(error)))
    await Promise.race([stopped, delay(STOP_MS, undefined, { ref: false })])
  }
}

/** If all of a host's addresses refuse the connection, the error has no message. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error ? `${error.code} ` : ''
  return `${code}${error.message || error.name}`
}
